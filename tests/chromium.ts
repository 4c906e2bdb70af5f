import { chromium, type Browser } from 'playwright-core'

/** The one of the system: nothing is downloaded. */
const PROGRAM = '/usr/bin/chromium'

/** Starts the system's Chromium without a window. */
export const launchChromium = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    // Its own sandbox does not start as root; only pages of our tests are opened.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  })
