// The browser of all tests: the system's Chromium, Estonian, Tallinn's clock, no motion.
export const url = process.env.TOIMIK_URL ?? 'http://127.0.0.1:8080'

export const browser = {
  baseURL: url,
  actionTimeout: 15_000,
  locale: 'et-EE',
  timezoneId: 'Europe/Tallinn',
  viewport: { width: 1440, height: 900 },
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] },
  screenshot: 'only-on-failure' as const,
  trace: 'retain-on-failure' as const,
}
