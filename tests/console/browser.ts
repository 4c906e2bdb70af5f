import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** Debian's browser, or another by `TOOLWRIGHT_CHROMIUM`. */
const PROGRAM = process.env['TOOLWRIGHT_CHROMIUM'] ?? '/usr/bin/chromium'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

/** Starts the system's browser. The test that asked for it closes it. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(PROGRAM)) throw new Error(`There is no browser at ${PROGRAM}: apt-get install chromium`)
  return chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS })
}

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

interface OpenedPage {
  readonly context: BrowserContext
  readonly page: Page
  /** What the page logged as an error, and what it threw. */
  readonly errors: readonly string[]
}

interface PageOptions {
  readonly theme?: 'dark' | 'light'
  readonly size?: { readonly width: number; readonly height: number }
}

/** Opens a page of its own, with nothing stored. */
export async function openPage(
  browser: Browser,
  { theme = 'dark', size = DESKTOP }: PageOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  // A step that does not come is named before the test itself is ended.
  page.setDefaultTimeout(40_000)
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => {
    // The browser itself logs every answer that is not 200.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text())
  })
  return { context, page, errors }
}
