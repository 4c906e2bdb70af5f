import { describe, expect, it } from 'vitest'
import { membersOf } from './usages-of.ts'

const keysIn = async (text: string) =>
  (await membersOf('a.ts', text)).keys.map(({ receivers, prefix, suffix, how }) => [
    receivers.map(at => (at < 0 ? '?' : (/^[\w$]+|\{/.exec(text.slice(at))?.[0] ?? ''))).join(),
    prefix,
    suffix,
    how,
  ])

describe('computed keys of scripts', () => {
  it.each([
    ["obj['on' + name]()", 'obj', 'on', ''],
    ['obj[`do_${x}`]()', 'obj', 'do_', ''],
    ['obj?.[`do_${x}_now`]', 'obj', 'do_', '_now'],
    ["(obj as any)[x + 'Handler']", 'obj', '', 'Handler'],
    ["Reflect.get(obj, 'on' + name)", 'obj', 'on', ''],
    ['a.tasks[process.argv[2]]()', 'tasks', '', ''],
    ['this[name]()', 'this', '', ''],
    ['make()[name]()', 'make', '', ''],
    ['new Tasks()[name]()', 'Tasks', '', ''],
    ['(one ?? two)[name]()', 'one,two', '', ''],
    ['list[0][name]()', '?', '', ''],
    ['({ ...tasks })[name]()', '{', '', ''],
    ['name in tasks', 'tasks', '', ''],
    ['Object.hasOwn(tasks, name)', 'tasks', '', ''],
    ['tasks.hasOwnProperty(name)', 'tasks', '', ''],
    ['const { [name]: run } = tasks', 'tasks', '', ''],
    ['tasks[`${name}`]', 'tasks', '', ''],
    ["tasks[isOn ? 'a' : name]", 'tasks', '', ''],
    ['tasks[name as keyof T]', 'tasks', '', ''],
    ['let i = 0; i = name; tasks[i]', 'tasks', '', ''],
    ['for (const i of names) tasks[i]()', 'tasks', '', ''],
  ])('are found: %s', async (text, receiver, prefix, suffix) => {
    expect((await keysIn(text)).filter(([, , , how]) => how === 'one')).toEqual([[receiver, prefix, suffix, 'one']])
  })

  it.each([
    ['Object.keys(tasks)', 'tasks', 'names'],
    ['Object.entries(tasks)', 'tasks', 'names'],
    ['Reflect.ownKeys(tasks)', 'tasks', 'names'],
    ['Object.values(tasks)', 'tasks', 'values'],
    ['for (const name in tasks) {}', 'tasks', 'names'],
    ['type Name = keyof typeof tasks', 'tasks', 'type'],
  ])('are found where all are meant: %s', async (text, receiver, how) => {
    expect(await keysIn(text)).toEqual([[receiver, '', '', how]])
  })

  it.each([
    "obj['whole']",
    'obj[`whole`]',
    "const list = ['a' + b]",
    'list[0]',
    'list[i++]',
    'list[i - 1]',
    'list[list.length - 1]',
    'for (let i = 0; i < 9; i++) list[i]()',
    'const f = (i: number) => list[i + 1]',
    'it[Symbol.iterator]()',
    "const KEY = 'whole'; obj[KEY]",
    "obj[isOn ? 'one' : 'two']",
    'const f = (text: string, at: unknown) => text[at]',
    '[a, b][at]',
    'Object.keys(tasks).length',
    'type Name = keyof Tasks',
  ])('are no written names, numbers or symbols: %s', async text => {
    expect(await keysIn(text)).toEqual([])
  })
})
