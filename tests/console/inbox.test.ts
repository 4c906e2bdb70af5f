// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { useConsole } from './rig.ts'

const it = needs('chromium')
const serve = useConsole()

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('')
const edits = (...numbers: readonly number[]) => ({
  path: 'src/a.txt',
  edits: numbers.map(number => ({ old: `line ${number}\n`, new: `LINE ${number}\n` })),
})
const upper = (...numbers: readonly number[]) =>
  numbers.reduce((text, number) => text.replace(`line ${number}\n`, `LINE ${number}\n`), LINES)

describe('the inbox', () => {
  it('lands two of three hunks', async () => {
    const { open, call, workspace } = await serve({ 'src/a.txt': LINES })
    const made = call('claude-code', 'edit', edits(2, 15, 30), { task: 'checkout' })
    const page = await open('/inbox')
    await page.getByRole('option', { name: /Edit src\/a\.txt/ }).click()
    const detail = page.getByRole('region', { name: /^Edit src\/a\.txt/ })
    await detail.getByText('claude-code · checkout').waitFor()
    const hunk = (number: number) => detail.getByRole('region', { name: new RegExp(`^Hunk ${number}:`) })
    await hunk(1).getByRole('button', { name: 'Accept' }).click()
    await hunk(3).getByRole('button', { name: 'Accept' }).click()
    await detail.getByRole('button', { name: 'Land 2 of 3 hunks' }).click()
    expect(await made).toMatchObject({ ok: true })
    expect(workspace.read('src/a.txt')).toBe(upper(2, 30))
    await detail.getByText(/approved \(2 hunks\) on the page, /).waitFor()
    await expect.poll(() => page.title()).toMatch(/^Inbox · /)
  })

  it('refuses a hunk with a reason, by keys alone, and tells the model', async () => {
    const { open, call, workspace } = await serve({ 'src/a.txt': LINES })
    const made = call('claude-code', 'edit', edits(2, 30))
    const page = await open('/inbox')
    await page.getByRole('button', { name: 'Land all 2 hunks' }).waitFor()
    await page.keyboard.press('y')
    await page.keyboard.press('n')
    await page.getByLabel('Reason for refusing hunk 2').fill('keep the old name')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Land 1 of 2 hunks' }).click()
    const { ok, meta } = await made
    expect(ok).toBe(true)
    expect(meta.warnings.join()).toContain('keep the old name')
    expect(workspace.read('src/a.txt')).toBe(upper(2))
  })

  it('refuses with a reason that goes to the model', async () => {
    const { open, call, workspace } = await serve({ 'src/a.txt': LINES })
    const made = call('codex', 'edit', edits(2))
    const page = await open('/inbox')
    await page.getByLabel('Reason').fill('use the other file')
    await page.getByRole('button', { name: 'Refuse' }).click()
    expect((await made).error.hint).toContain('use the other file')
    expect(workspace.read('src/a.txt')).toBe(LINES)
  })

  it('says what always would allow, and then remembers it', async () => {
    const { open, call, json } = await serve({ 'src/a.txt': LINES })
    const made = call('codex', 'edit', edits(2))
    const page = await open('/inbox')
    await page.getByText(/would add edit: .*write src\/\*\.txt for 90 days/).waitFor()
    await page.getByRole('button', { name: 'Always…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Always allow' }).click()
    expect(await made).toMatchObject({ ok: true })
    expect((await json('GET', '/v1/policy')).answers).toHaveLength(1)
    // The next one is not asked about.
    expect(await call('codex', 'edit', edits(15))).toMatchObject({ ok: true })
  })

  it('counts what waits in the title of the tab, and answers several at once', async () => {
    const { open, call, workspace } = await serve({ 'src/a.txt': LINES })
    const made = ['one.txt', 'two.txt'].map(path => call('codex', 'write', { path, content: 'x\n' }))
    const page = await open('/inbox')
    await expect.poll(() => page.title()).toMatch(/^\(2\) Inbox/)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Land 2 questions' }).click()
    expect((await Promise.all(made)).map(({ ok }) => ok)).toEqual([true, true])
    expect(['one.txt', 'two.txt'].map(path => workspace.read(path))).toEqual(['x\n', 'x\n'])
  })
})
