import { describe, expect, it } from 'vitest'
import { textOccurrences } from './text-occurrences.ts'

describe('a name in files that are no source code', () => {
  it.each([
    ['app.json', '{ "pick": 1 }', 'key'],
    ['app.json', '{ "step": "pick" }', 'string'],
    ['app.json', '{ "step": "shop.cart:pick" }', 'string'],
    ['app.json', '{ "help": "how to pick one" }', 'text'],
    ['app.yaml', 'step: pick', 'string'],
    ['app.yaml', '# pick', 'text'],
    ['app.toml', 'pick = 1', 'key'],
    ['package.json', '{ "scripts": { "pick": "x" } }', 'text'],
    ['package-lock.json', '{ "pick": 1 }', 'text'],
    ['README.md', 'Call `pick()`', 'text'],
    ['page.html', '<p>pick</p>', 'text'],
    ['page.html', '<p>{{ x.pick }}</p>', 'member'],
    ['page.html', '<p onclick="pick()">', 'name'],
  ])('%s: %s is a %s', (path, text, kind) => {
    expect(textOccurrences(path, text, 'pick').map(each => each.kind)).toEqual([kind])
  })
})
