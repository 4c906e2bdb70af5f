import { describe, expect, it } from 'vitest'
import { circularConfig } from './circular-config.ts'

const circle = (files: Readonly<Record<string, unknown>>, only = Object.keys(files)) =>
  circularConfig(only, path => {
    const text = files[path]
    return text === undefined ? undefined : typeof text === 'string' ? text : JSON.stringify(text)
  })

describe('circularConfig', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string[]]>([
    ['itself', { 'tsconfig.json': { extends: './tsconfig.json' } }, ['tsconfig.json']],
    ['itself without an ending', { 'tsconfig.json': { extends: './tsconfig' } }, ['tsconfig.json']],
    [
      'itself behind comments and commas',
      { 'a/tsconfig.json': '// a\n{ /* b */ "extends": "../a/tsconfig.json", }' },
      ['a/tsconfig.json'],
    ],
    [
      'one that extends it',
      { 'tsconfig.json': { extends: './base.json' }, 'base.json': { extends: './tsconfig.json' } },
      ['tsconfig.json', 'base.json'],
    ],
    [
      'in a list',
      { 'tsconfig.json': { extends: ['./x.json', './y.json'] }, 'x.json': {}, 'y.json': { extends: ['./y.json'] } },
      ['y.json'],
    ],
    [
      'by way of a package',
      {
        'a/tsconfig.json': { extends: 'base/tsconfig.json' },
        'node_modules/base/tsconfig.json': { extends: '../../a/tsconfig.json' },
      },
      ['a/tsconfig.json', 'node_modules/base/tsconfig.json'],
    ],
  ])('names the files of one that extends %s', (_, files, expected) => {
    expect(circle(files, [Object.keys(files)[0] ?? ''])).toEqual(expected)
  })

  it('finds nothing where two extend the same, what they extend is missing, or they are no JSON', () => {
    expect(
      circle({
        'a.json': { extends: ['./b.json', './c.json'] },
        'b.json': { extends: './d.json' },
        'c.json': { extends: './d.json' },
        'd.json': {},
        'e.json': { extends: './gone.json' },
        'f.json': '{ "extends": ',
        'g.json': { extends: 7 },
      }),
    ).toBeUndefined()
  })

  it('comes to an end with a chain of thousands', () => {
    const files = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`${at}.json`, { extends: `./${at + 1}.json` }]),
    )
    expect(circle(files)).toBeUndefined()
  })
})
