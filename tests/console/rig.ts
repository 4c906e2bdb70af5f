import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Scope } from '../../src/machine/state/tokens.ts'
import { serveTest, type ServedTest } from '../http/rig.ts'
import { openPage, startBrowser } from './browser.ts'

type Serving = NonNullable<Parameters<typeof serveTest>[1]>

/** A console on a server of its own, and a browser for all tests of a file. */
export interface ConsoleTest extends ServedTest {
  readonly browser: Browser
  /** Opens an address of the console with a link that works once. */
  open(path?: string, options?: Parameters<typeof openPage>[1]): Promise<Page>
  /** Makes a call as an agent of this name. It is not awaited, since it may wait for a person. */
  call(agent: string, tool: string, input: object, more?: object): Promise<CallAnswer>
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
type CallAnswer = any

const SCOPES: readonly Scope[] = ['read', 'call']

/** Starts the browser once, and lets each test serve a workspace of its own. */
export function useConsole(): (files?: Readonly<Record<string, string>>, options?: Serving) => Promise<ConsoleTest> {
  let browser: Browser
  const ends: (() => Promise<unknown>)[] = []
  const errors: (readonly string[])[] = []
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    // Nothing that the console does is an error to the browser: no refused style, no exception.
    expect(errors.splice(0).flat()).toEqual([])
  })
  return async (files = {}, options = {}) => {
    const served = await serveTest(files, { approvalMs: 120_000, ...options })
    ends.push(() => served.stop())
    const tokens = new Map<string, string>()
    const tokenOf = (agent: string): string => {
      const token = tokens.get(agent) ?? served.tokens.add(agent, SCOPES, new Date().toISOString())
      tokens.set(agent, token)
      return token
    }
    return {
      ...served,
      browser,
      async open(path = '/', pageOptions = {}) {
        const opened = await openPage(browser, pageOptions)
        errors.push(opened.errors)
        ends.push(() => opened.context.close())
        await opened.page.goto(served.server.newLink().replace('/#', `${path}#`))
        return opened.page
      },
      call: (agent, tool, input, more = {}) =>
        served.json('POST', '/v1/calls', { token: tokenOf(agent), body: { tool, input, ...more } }),
    }
  }
}
