// Texts of sign-in and role choice.
import { text } from '@/lib/texts'

export const t = {
  title: text('Sisselogimine', 'Sign in'),
  lead: text('Kohtutäituri büroo töökeskkond', 'The workplace of a bailiff’s office'),
  ways: text('Sisselogimise viis', 'Way of signing in'),
  password: text('Parool', 'Password'),
  provider: text('Riiklik autentimine', 'National sign-in'),
  username: text('Kasutajatunnus', 'Username'),
  signIn: text('Logi sisse', 'Sign in'),
  wrong: text('Sisestatud kasutajatunnus või parool on vale', 'The username or password is wrong'),
  again: text('Sisesta parool uuesti.', 'Type the password again.'),
  capsLock: text('Caps Lock on sees.', 'Caps Lock is on.'),
  tooMany: text((seconds: number) => `Liiga palju katseid. Proovi uuesti ${seconds} sekundi pärast.`, (seconds) => `Too many tries. Try again in ${seconds} seconds.`),
  noAnswer: text('Server ei vasta. Proovi uuesti.', 'The server does not answer. Try again.'),
  insecure: text(
    'Sisselogimine töötab siin aadressil ainult üle https-i: turvaline küpsis ei kehti. Kasuta aadressi http://127.0.0.1 või https-i.',
    'Signing in needs https at this address, because the secure cookie is not accepted. Use http://127.0.0.1 or https.',
  ),
  providerMissing: text('Riiklik autentimine ei ole veel kasutusel.', 'National sign-in is not available yet.'),
  providerHint: text('Logi sisse parooliga. Teade kaob siit, kui büroo keskkonnas on autentimisteenus seadistatud.', 'Sign in with your password. This note goes away once the service is set up.'),
  usePassword: text('Logi sisse parooliga', 'Sign in with a password'),
  hello: text((name: string) => `Tere, ${name}`, (name) => `Hello, ${name}`),
  choose: text('Vali roll, milles täna töötad. Rolli saab vahetada ülaribalt.', 'Choose the role you work in today. You can change it in the top bar.'),
  chooseTitle: text('Vali roll', 'Choose a role'),
  roles: text('Rollid', 'Roles'),
  noRoles: text('Sul ei ole ühtegi rolli. Küsi õigust oma büroo kohtutäiturilt või kojast.', 'You have no role. Ask the bailiff of your bureau or the chamber.'),
  saveFailed: text('Salvestamine ebaõnnestus!', 'Saving failed!'),
  roleFailed: text('Rolli valimine ebaõnnestus. Proovi uuesti.', 'The role could not be chosen. Try again.'),
}
