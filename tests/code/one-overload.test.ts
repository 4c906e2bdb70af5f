import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'

const ROWS = [
  ['Kotlin', 'Shop.kt', 'class Shop {\n    fun show(id: Int) {}\n\n    fun show(name: String) {}\n', 'Int', 'String'],
  ['Java', 'Shop.java', 'class Shop {\n  void show(int id) {}\n\n  void show(String name) {}\n', 'int', 'String'],
  ['C#', 'Shop.cs', 'class Shop {\n  void Show(int id) {}\n\n  void Show(string name) {}\n', 'int', 'string'],
  [
    'Swift',
    'Shop.swift',
    'class Shop {\n  func show(_ id: Int) {}\n\n  func show(_ name: String) {}\n',
    'Int',
    'String',
  ],
] as const

describe.each(ROWS)('one overload in %s, where no server serves the language', (language, path, shop, number, text) => {
  const show = language === 'C#' ? 'Show' : 'show'
  const field = language === 'Kotlin' || language === 'Swift' ? 'var last = 0' : 'int last;'

  it('is deleted alone, by its parameter types', async () => {
    await using workspace = temporaryWorkspace({ [path]: `${shop}  ${field}\n}\n` })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const symbol = `Shop.${show}(${number})`
    expect(await kit.call('refactor', { kind: 'delete', symbol, path, effects: 'off' })).toMatchObject({ ok: true })
    const left = readFileSync(join(workspace.path, path), 'utf8')
    expect(left).toContain(text)
    expect(left).not.toContain(`${show}(${number}`)
    expect(left.match(new RegExp(`\\b${show}\\b`, 'g'))).toHaveLength(1)
  })

  it('is not deleted while a call may mean it, nor by a name that both have', async () => {
    const call =
      language === 'Kotlin' || language === 'Swift'
        ? `    var seen = ${show}(other)\n`
        : `  int seen = ${show}(other);\n`
    await using workspace = temporaryWorkspace({ [path]: `${shop}${call}}\n` })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string) => kit.call('refactor', { kind: 'delete', symbol, path, effects: 'off' })
    for (const type of [number, text])
      expect(await remove(`Shop.${show}(${type})`)).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining(`${path}:5`) },
      })
    expect(await remove(`Shop.${show}`)).toMatchObject({ ok: false })
    expect(await remove(`Shop.${show}(Other)`)).toMatchObject({ ok: false, error: { code: 'no_match' } })
  })
})

describe('references to one overload in Kotlin', () => {
  it('leave out those of another, and are partial where a call may mean either', async () => {
    const shop = 'class Shop {\n    fun show(id: Int) {}\n    fun show(name: String) {}\n}\n'
    const use = 'fun use(shop: Shop) {\n    shop.show(1)\n    shop.show("a")\n    shop.show(other())\n}\n'
    await using workspace = temporaryWorkspace({ 'Shop.kt': `${shop}${use}` })
    const kit = await workspace.open({ permissions: ['fs:read'] })
    expect(await kit.call('references', { name: 'Shop.show(Int)', path: 'Shop.kt' })).toMatchObject({
      ok: true,
      data: { places: [{ line: 6 }, { line: 8 }], partial: true },
    })
  })
})
