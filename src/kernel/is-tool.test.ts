import { expect, it } from 'vitest'
import { isTool } from './is-tool.ts'

it.each([undefined, '*', 'a/b', 'a/*', 'b'])('isTool: %s names a/b', named => {
  expect(isTool(named, 'a/b')).toBe(true)
})

it.each(['a', 'a/bc', 'aa/*', '', '/b', 'B', 'a/'])('isTool: %j does not name a/b', named => {
  expect(isTool(named, 'a/b')).toBe(false)
})
