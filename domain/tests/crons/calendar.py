"""Due times of cron patterns by Python's own calendar, for whoever tries the scheduler's: `calendar.py FROM UNTIL PATTERN…`.

Instants are seconds since 1970, FROM is not included; a line of them for each pattern of five fields, or six with seconds first.
"""
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

TALLINN = ZoneInfo("Europe/Tallinn")


def numbers(field, low, high):
    return set(range(low, high + 1)) if field == "*" else {int(part) for part in field.split(",")}


def due(pattern, start, end):
    *second, minute, hour, day, month, weekday = pattern.split()
    assert weekday == "*"
    seconds = numbers(second[0] if second else "0", 0, 59)
    minutes, hours = numbers(minute, 0, 59), numbers(hour, 0, 23)
    days, months = numbers(day, 1, 31), numbers(month, 1, 12)
    found = set()
    if hour == "*":  # every hour: each instant whose clock shows it
        for at in range(start - start % 60, end + 1, 60):
            shown = datetime.fromtimestamp(at, TALLINN)
            if shown.minute in minutes and shown.day in days and shown.month in months:
                found.update(at + s for s in seconds)
    else:  # a time of day: once a day, the first of two, at four where there is none
        date = datetime.fromtimestamp(start, TALLINN).date() - timedelta(days=1)
        last = datetime.fromtimestamp(end, TALLINN).date()
        while date <= last:
            if date.day in days and date.month in months:
                for h in hours:
                    for m in minutes:
                        shown = datetime(date.year, date.month, date.day, h, m, tzinfo=TALLINN)
                        back = shown.astimezone(timezone.utc).astimezone(TALLINN)
                        if (back.hour, back.minute) != (h, m):
                            found.add(int(datetime(date.year, date.month, date.day, 4, tzinfo=TALLINN).timestamp()))
                        else:
                            found.update(int(shown.timestamp()) + s for s in seconds)
            date += timedelta(days=1)
    return sorted(at for at in found if start < at <= end)


start, end = int(sys.argv[1]), int(sys.argv[2])
for pattern in sys.argv[3:]:
    print(" ".join(str(at) for at in due(pattern, start, end)))
