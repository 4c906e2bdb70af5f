import { expect, it } from 'vitest'
import { modelKey, modelOf } from './model-of.ts'

it.each([
  ['pkg/copy.py', 'pkg/__init__.py', 'from .shapes import Shape\n'],
  ['a.ts', 'a.d.ts', 'import "./b"\ninterface A {}\n'],
  ['a.ts', 'a.test.ts', 'it("works", () => {})\n'],
])('%s and %s of one content have models of their own, and keys', async (one, other, text) => {
  expect(await modelOf(one, Buffer.from(text))).not.toEqual(await modelOf(other, Buffer.from(text)))
  expect(modelKey(one)).not.toBe(modelKey(other))
})
