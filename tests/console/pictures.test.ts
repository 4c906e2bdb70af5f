// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { PHONE } from './browser.ts'
import { useConsole } from './rig.ts'
import { playScene, SHOP, SHOP_CONFIG } from './scene.ts'

const it = needs('chromium')
const serve = useConsole()

/** `npm run screenshots` sets it: then the pictures are written, too. */
const IMAGES = process.env['TOOLWRIGHT_SCREENSHOTS']

/** Each page with what it shows once it is there. */
const PAGES = [
  ['inbox', '/inbox', 'Land all 3 hunks'],
  ['timeline', '/timeline', 'git push origin main'],
  ['changes', '/changes', 'src/cart.ts'],
  ['policy', '/policy?try=make%20deploy%20%26%26%20git%20push%20origin%20main', 'Refused'],
  ['code', '/code/total', 'arrows walk'],
  ['numbers', '/numbers', 'Paths'],
  ['memory', '/memory', 'What was fixed before'],
  ['tools', '/tools/read', '(optional)'],
] as const

describe('every page', () => {
  it('has nothing that axe finds serious, and the stored tree of roles, in both themes', async () => {
    const served = await serve(SHOP, { config: SHOP_CONFIG, approvalMs: 600_000 })
    await playScene(served)
    const trees: Record<string, string> = {}
    const findings: string[] = []
    for (const [theme, size] of [
      ['dark', 'desktop'],
      ['light', 'desktop'],
      ['dark', 'phone'],
      ['light', 'phone'],
    ] as const) {
      const page = await served.open('/inbox', { theme, ...(size === 'phone' && { size: PHONE }) })
      await page.getByText('live', { exact: true }).waitFor()
      for (const [name, path, text] of PAGES) {
        await show(page, path)
        if (size === 'phone' && name === 'inbox') await page.getByRole('option').first().click()
        // The graph of a page waits for a language server.
        await page.getByText(text).first().waitFor({ timeout: 150_000 })
        await page.waitForTimeout(250)
        if (size === 'desktop')
          findings.push(...(await seriousFindings(page)).map(found => `${name}, ${theme}: ${found}`))
        if (size === 'desktop' && theme === 'dark') trees[name] = outline(await page.locator('#console').ariaSnapshot())
        if (IMAGES !== undefined)
          await picture(page, join(IMAGES, `${name}-${size}-${theme}.png`), served.workspace.base)
      }
      await page.context().close()
    }
    expect(findings).toEqual([])
    for (const name of ['inbox', 'timeline', 'changes', 'policy'])
      await expect(trees[name]).toMatchFileSnapshot(`../data/console/${name}.yml`)
  }, 400_000)
})

/** Goes on within the console, as a link does. */
const show = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)

async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  })
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** The tree of roles and names, without what differs from run to run: ids, times and counts. */
const outline = (tree: string): string =>
  tree
    .replaceAll(/call [a-z0-9]{6}\b/g, 'call ID')
    .replaceAll(/\b0m[a-z0-9]{16}\b/g, 'ID')
    .replaceAll(/\/(?:timeline|inbox|changes)\/[\w-]+/g, match => match.replace(/[\w-]+$/, 'ID'))
    .replaceAll(/link "[a-z0-9]{6}"/g, 'link "ID"')
    .replaceAll(/\d+(?::\d+)+/g, 'TIME')
    .replaceAll(/<? ?\d+(?:\.\d+)? (?:ms|s|min|h)\b/g, 'TIME')
    .replaceAll(/\d+(?:,\d+)*/g, 'N')

/** Takes a picture in which the temporary directory of the test is the home of a person. */
async function picture(page: Page, path: string, base: string): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true })
  await page.evaluate(`{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      node.textContent = node.textContent.replaceAll(${JSON.stringify(base)}, '/home/ada')
    }
  }`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}
