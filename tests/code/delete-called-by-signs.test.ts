import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'

describe('deleting what signs call, where no server serves the language', () => {
  it('is refused while it has callers or possible ones, and by Java what Kotlin has', async () => {
    await using workspace = temporaryWorkspace({
      'Money.kt':
        'package p\n\nclass Money(val v: Int) {\n    operator fun plus(o: Money): Money = o\n\n    operator fun minus(o: Money): Money = o\n\n    override fun toString() = "x"\n}\n\nfun load(id: Int) = id\n',
      'Use.kt': 'package p\n\nfun use(a: Money, b: Money) = a + b\n',
      'Use.java': 'package q;\n\nclass Use {\n  int use() { return p.MoneyKt.load(1); }\n}\n',
    })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string) =>
      kit.call('refactor', { kind: 'delete', symbol, path: 'Money.kt', effects: 'off' })
    expect(await remove('Money.plus')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('Use.kt:3') },
    })
    expect(await remove('Money.toString')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(await remove('load')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('Use.java:4') },
    })
    // No caller is visible, but an operator may call it.
    expect(await remove('Money.minus')).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })
})
