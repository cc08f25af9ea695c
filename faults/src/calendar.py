"""Due times by another hand than the scheduler's: each second of a window on Estonia's clock, by Python's zoneinfo.

usage: calendar.py FROM UNTIL PATTERN…     instants as seconds since 1970, FROM not included; prints one line a due time: pattern;second

A pattern has cron's five fields or six with seconds first. One rule for the two nights that change the clock: a time that does not
exist is due at the end of the gap, a doubled one the first time; a pattern that leaves the hour open is due at every instant.
"""
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

TALLINN = ZoneInfo("Europe/Tallinn")


def values(field, low, high):
    found = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = (span if span != "*" else f"{low}-{high}").partition("-")
        found.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return found


def shows(pattern, face):
    """Whether the clock's face is one of the pattern's."""
    fields = pattern.split()
    if len(fields) == 5:
        fields = ["0", *fields]
    second, minute, hour, day, month, weekday = fields
    if not (face.second in values(second, 0, 59) and face.minute in values(minute, 0, 59) and face.hour in values(hour, 0, 23)):
        return False
    if face.month not in values(month, 1, 12):
        return False
    by_day = face.day in values(day, 1, 31)
    by_weekday = face.isoweekday() % 7 in {number % 7 for number in values(weekday, 0, 7)}
    if day == "*" or weekday == "*":
        return by_day and by_weekday
    return by_day or by_weekday


def faces(at):
    """Faces that fall on this instant: its own, unless it is shown for the second time, and at the end of a gap all that the gap left out."""
    own = at.astimezone(TALLINN)
    before = (at - timedelta(seconds=1)).astimezone(TALLINN)
    if not own.fold:
        yield own.replace(tzinfo=None)
    gap = own.utcoffset() - before.utcoffset()
    if gap > timedelta(0):
        first = before.replace(tzinfo=None) + timedelta(seconds=1)
        for second in range(int(gap.total_seconds())):
            yield first + timedelta(seconds=second)


def main():
    start, end, *patterns = sys.argv[1:]
    for stamp in range(int(start) + 1, int(end) + 1):
        at = datetime.fromtimestamp(stamp, timezone.utc)
        plain, all_faces = at.astimezone(TALLINN).replace(tzinfo=None), list(faces(at))
        for pattern in patterns:
            hourly = pattern.split()[-4] == "*"
            if shows(pattern, plain) if hourly else any(shows(pattern, face) for face in all_faces):
                print(f"{pattern};{stamp}")


if __name__ == "__main__":
    main()
