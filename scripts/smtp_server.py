"""A real SMTP server for tests, misbehaving by the name that a mail goes to; one JSON line an event on stdout.

refuse@ 550 · greylist@ 451 once · busy@ 451 always · slow@ answers DATA after the first mail's patience is over, once ·
cut@ keeps the mail and hangs up, once · anything else is accepted. What --cert and --auth name is required of every client.
"""
import argparse
import asyncio
import email
import email.policy
import json
import ssl

from aiosmtpd.smtp import SMTP, AuthResult


def tell(**event):
    print(json.dumps(event), flush=True)


class Misbehaving:
    def __init__(self):
        self.seen = set()

    def first(self, what):
        if what in self.seen:
            return False
        self.seen.add(what)
        return True

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        tell(event="rcpt", to=address, tls=session.ssl is not None, user=session.auth_data, port=session.peer[1])
        if name == "refuse":
            return f"550 5.1.1 <{address}>: no such person"
        if name == "busy" or name == "greylist" and self.first(address):
            return f"451 4.7.1 <{address}>: come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        name = envelope.rcpt_tos[0].split("@")[0]
        read = email.message_from_bytes(envelope.content, policy=email.policy.default)
        plain = read.get_body(("plain",))
        tell(event="mail", to=envelope.rcpt_tos, sender=envelope.mail_from, tls=session.ssl is not None,
             id=read["Message-ID"], subject=read["Subject"], text=plain and plain.get_content(),
             content=envelope.content.decode("utf-8", "replace"))
        if name == "cut" and self.first(name):
            server.transport.abort()
            return "250 never seen"
        if name == "slow" and self.first(name):
            await asyncio.sleep(3600)
        return "250 OK"


def secured(given):
    if not given.cert:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(given.cert)
    return context


def factory(given, handler, loop):
    context = None if given.smtps else secured(given)

    def authenticate(server, session, envelope, mechanism, data):
        fits = f"{data.login.decode()}:{data.password.decode()}" == given.auth
        tell(event="auth", fits=fits)
        return AuthResult(success=fits, handled=False, auth_data=data.login.decode() if fits else None)

    return lambda: SMTP(
        handler, hostname="127.0.0.1", tls_context=context, require_starttls=context is not None,
        authenticator=authenticate if given.auth else None, auth_required=bool(given.auth),
        auth_require_tls=context is not None, loop=loop)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--cert", help="PEM file with the certificate and its key: STARTTLS")
    parser.add_argument("--smtps", action="store_true", help="TLS from the first byte instead")
    parser.add_argument("--auth", help="user:password")
    given = parser.parse_args()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(factory(given, Misbehaving(), loop), "127.0.0.1", given.port,
                                      ssl=secured(given) if given.smtps else None)
    tell(event="ready", port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
