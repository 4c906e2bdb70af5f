import { describe, expect, it } from 'vitest'
import { possibleCallers } from '../../../../tests/code/written-callers.ts'

describe('a method of Python on a receiver whose type says nothing', () => {
  const files = {
    'step.py': `import typing
from typing import Any

class Base:
    def step(self): return 1

def plain(x: Any): return x.step()
def dotted(x: typing.Any): return x.step()
def anything(x: object): return x.step()
def optional(x: Any | None): return x.step()
def text(x: str): return x.step()
`,
  }

  it('is possible', async () => {
    expect(await possibleCallers(files, 'step.py', 'Base.step')).toEqual([
      'plain @step.py:7',
      'dotted @step.py:8',
      'anything @step.py:9',
      'optional @step.py:10',
    ])
  })
})

describe('a method of TypeScript on a receiver whose type says nothing', () => {
  const files = {
    'step.ts': `export class Base { step() { return 1 } }
export function any(x: any) { return x.step() }
export function unknown(x: unknown) { return (x as any).step() }
export function object(x: Object) { return x.step() }
`,
  }

  it('is possible', async () => {
    expect(await possibleCallers(files, 'step.ts', 'Base.step')).toEqual([
      'any @step.ts:2',
      'unknown @step.ts:3',
      'object @step.ts:4',
    ])
  })
})
