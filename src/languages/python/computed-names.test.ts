import { describe, expect, it } from 'vitest'
import { isFitting } from '../reflection.ts'
import { computedNames } from './computed-names.ts'

const found = (text: string) => computedNames(text).map(({ of, prefix, suffix }) => [of, prefix, suffix])

describe('names that are put together', () => {
  it.each([
    ["getattr(c, f'do_{verb}')()", 'c', 'do_', ''],
    ["getattr(self, 'visit_' + type(x).__name__)", 'self', 'visit_', ''],
    ["getattr(self, 'visit_' + x + '_node', None)", 'self', 'visit_', '_node'],
    ["getattr(make(1), x + '_handler')", 'make(1)', '', '_handler'],
    ["hasattr(c, 'do_%s' % verb)", 'c', 'do_', ''],
    ["getattr(c, 'do_{}_now'.format(verb))", 'c', 'do_', '_now'],
    ["vars(m)['handler_' + n]()", 'm', 'handler_', ''],
    ["globals()['x_' + n]", 'globals()', 'x_', ''],
    ["globals().get(f'x_{n}')", 'globals()', 'x_', ''],
    ["m.__dict__['x_' + n]", 'm', 'x_', ''],
    ["methodcaller('do_' + verb)(c)", '', 'do_', ''],
    ['getattr(c, name)', 'c', '', ''],
    ["getattr(c, ''.join(parts))", 'c', '', ''],
  ])('are found: %s', (text, of, prefix, suffix) => {
    expect(found(text)).toEqual([[of, prefix, suffix]])
  })

  it.each(["getattr(c, 'whole')", "vars(m)['whole']", "f('do_' + x)"])('are no whole ones: %s', text => {
    expect(found(text)).toEqual([])
  })

  it('fit a name that begins and ends so', () => {
    const at = { start: 0, end: 1, of: '' }
    expect(isFitting('do_add', { ...at, prefix: 'do_', suffix: '' })).toBe(true)
    expect(isFitting('undo_add', { ...at, prefix: 'do_', suffix: '' })).toBe(false)
    expect(isFitting('do_a', { ...at, prefix: 'do_', suffix: '_a' })).toBe(false)
  })
})
