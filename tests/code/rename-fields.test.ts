// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'

const it = needs('bubblewrap')

interface Answer {
  readonly error?: { readonly details?: { readonly undecided?: readonly { readonly text: string }[] } }
}

/** The lines that a rename of a field cannot decide about. */
async function undecided(files: Readonly<Record<string, string>>, path: string, line: number) {
  await using workspace = temporaryWorkspace(files)
  const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
  const answer = await kit.call('refactor', {
    kind: 'rename',
    symbol: 'Cart.total',
    path,
    line,
    to: 'sum',
    effects: 'off',
  })
  return (answer as Answer).error?.details?.undecided?.map(({ text }) => text)
}

describe('renaming a field whose name may be read from objects', () => {
  it('leaves out what reads objects of another type, which cannot be one of its own', async () => {
    const left = [
      'export const boxed = (box: Box) => JSON.stringify(box)',
      'export const own = (cart: Cart) => Object.keys(cart)',
      'export const untyped = (cart: any) => Object.keys(cart)',
      'export const handed = (labelled: Labelled) => Object.keys(labelled)',
    ]
    const files = {
      'tsconfig.json': configuration(),
      'src/a.ts': `export interface Cart {
  total: number
}
export interface Point {
  x: number
}
export interface Box {
  held: Cart
}
export interface Labelled {
  label?: string
}
export const keys = (point: Point) => Object.keys(point)
export const text = (point: Point) => JSON.stringify(point)
${left.join('\n')}
`,
    }
    expect(await undecided(files, 'src/a.ts', 2)).toEqual(left)
  })

  it('so in Python', async () => {
    const files = {
      'a.py': `from dataclasses import dataclass, asdict

@dataclass
class Cart:
    total: int

@dataclass
class Point:
    x: int

def keys(point: Point):
    return vars(point), asdict(point), point.__dict__

def own(cart: Cart):
    return cart.__dict__

def untyped(cart):
    return vars(cart)
`,
    }
    expect(await undecided(files, 'a.py', 5)).toEqual(['return cart.__dict__', 'return vars(cart)'])
  })
})
