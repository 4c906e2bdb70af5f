// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { ALLOWING } from '../http/rig.ts'
import { openPage } from './browser.ts'
import { useConsole } from './rig.ts'

const it = needs('chromium')
const serve = useConsole()

describe('changes', () => {
  it("undo one of two agents' work, and name what stands in the way", async () => {
    const { open, call, workspace } = await serve({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, { config: ALLOWING })
    await call('claude-code', 'write', { path: 'one.txt', content: 'one\n' })
    await call('codex', 'write', { path: 'two.txt', content: 'two\n' })
    await call('claude-code', 'edit', { path: 'a.txt', edits: [{ old: 'a', new: 'A' }] })
    const page = await open('/changes')
    await page.getByRole('button', { name: 'Undo all of claude-code…' }).first().click()
    const panel = page.getByRole('region', { name: 'Undo all of claude-code' })
    await panel.getByText('Undo would change 2 files. Nothing else has changed them since.').waitFor()
    await panel.getByRole('button', { name: 'Undo 2 changes' }).click()
    await page.getByText('Undone: 2 changes').waitFor()
    expect([workspace.read('a.txt'), workspace.read('two.txt')]).toEqual(['a\n', 'two\n'])
    expect(() => workspace.read('one.txt')).toThrow(/ENOENT/)
  })

  it('are blamed on who made them', async () => {
    const { open, call } = await serve({ 'a.txt': 'one\ntwo\n' }, { config: ALLOWING })
    await call('codex', 'edit', { path: 'a.txt', edits: [{ old: 'two', new: 'TWO' }] }, { task: 'shout' })
    const page = await open('/changes?blame=a.txt')
    await page.getByText('before Toolwright').waitFor()
    const line = page.getByRole('row', { name: /TWO/ })
    expect(await line.textContent()).toContain('codex · shout')
  })

  it('land a part of a transaction, by its hunks in the inbox', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('')
    const { open, json, workspace } = await serve({ 'a.txt': lines })
    const { data } = await json('POST', '/v1/transactions', { body: {} })
    const input = { path: 'a.txt', edits: [2, 30].map(at => ({ old: `line ${at}\n`, new: `LINE ${at}\n` })) }
    await json('POST', '/v1/calls', { body: { tool: 'edit', transaction: data.transaction, input } })
    const page = await open('/changes')
    await page.getByRole('button', { name: 'Land a part…' }).click()
    await page.getByRole('link', { name: /Inbox/ }).click()
    await page
      .getByRole('region', { name: /^Hunk 2:/ })
      .getByRole('button', { name: 'Accept' })
      .click()
    await page.getByRole('button', { name: 'Land 1 of 2 hunks' }).click()
    await expect.poll(() => workspace.read('a.txt')).toBe(lines.replace('line 30\n', 'LINE 30\n'))
  })
})

describe('the policy', () => {
  it('is tried, widened by a rule, and narrowed again', async () => {
    const { open, json } = await serve({ 'src/a.ts': 'a\n' })
    const page = await open('/policy')
    await page.getByLabel('A command or a path').fill('npm test')
    await page.getByText('Asked', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('the tool').fill('run')
    await dialog.getByLabel('the command').fill('npm test')
    await dialog.getByRole('button', { name: 'Store: always allow' }).click()
    await page.getByText('The rule is stored').waitFor()
    expect((await json('GET', '/v1/policy')).answers).toHaveLength(1)
    await page.getByRole('table', { name: 'Rules' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The rule is removed').waitFor()
    expect((await json('GET', '/v1/policy')).answers).toEqual([])
  })
})

describe('the console', () => {
  it('finds pages and calls by the palette, and lists the keys', async () => {
    const { open, call } = await serve({ 'a.txt': 'needle\n' }, { config: ALLOWING })
    await call('codex', 'read', { path: 'a.txt' })
    const page = await open('/inbox')
    await page.getByText('live', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('read a.txt')
    await page.getByRole('option', { name: /call read a\.txt/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/timeline\/\w+/)
    await page.getByRole('region', { name: 'read a.txt' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('go to Inbox').waitFor()
  })

  it('asks for a token at an address without a session, and then shows what it names', async () => {
    const { browser, call, server, token } = await serve({ 'a.txt': 'x\n' }, { config: ALLOWING })
    const { meta } = await call('codex', 'read', { path: 'a.txt' })
    const { page, context } = await openPage(browser)
    await page.goto(`${server.url}/timeline/${meta.id}`)
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('region', { name: 'read a.txt' }).waitFor()
    await context.close()
  })

  it('agrees with every other page on the first answer', async () => {
    const { open, call, workspace } = await serve()
    const made = call('codex', 'write', { path: 'a.txt', content: 'a\n' })
    const pages = [await open('/inbox'), await open('/inbox')]
    const buttons = pages.map((page, at) =>
      page.getByRole('button', { name: at === 0 ? 'Land' : 'Refuse', exact: true }),
    )
    await Promise.all(buttons.map(button => button.waitFor()))
    await Promise.all(buttons.map(button => button.click({ timeout: 5000 }).catch(() => {})))
    const { ok } = await made
    const words = ok ? /approved on the page/ : /refused on the page/
    for (const page of pages) await page.getByText(words).first().waitFor()
    expect(Object.keys(workspace.snapshot()).includes('a.txt')).toBe(ok)
  })

  it('shows hostile text as text', async () => {
    const markup = '<img src=x onerror="globalThis.owned = true">'
    const name = '<b>x</b>\u202etxt.exe'
    const { open, call } = await serve({ [name]: markup }, { config: { policy: { defaults: { exec: 'allow' } } } })
    await call('codex', 'run', { command: `echo '${markup}<script>globalThis.owned = true</script>'` })
    void call('codex', 'edit', { path: name, edits: [{ old: 'img', new: 'iframe' }] }, { task: markup })
    const page = await open('/inbox')
    const detail = page.getByRole('region', { name: /^Edit / })
    await detail.getByText('<iframe src=x').waitFor()
    expect(await detail.textContent()).toContain('<b>x</b>\\u{202e}txt.exe')
    await page.getByRole('link', { name: /Timeline/ }).click()
    await page.getByRole('row', { name: /echo/ }).click()
    await page.getByRole('region', { name: 'Output' }).getByText('<script>').waitFor()
    const made = 'document.querySelectorAll(\'img[src="x"], iframe\').length'
    expect(await page.evaluate(`[globalThis.owned, ${made}]`)).toEqual([undefined, 0])
  })
})
