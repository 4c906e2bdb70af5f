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

describe('a method on a receiver whose type only says what it wants', () => {
  it('is possible in TypeScript, for a class that has all of it', async () => {
    const files = {
      'area.ts': `export class Square { area() { return 1 } side() { return 1 } }
export class Line { area() { return 0 } }
export interface Shape { area(): number; side(): number }
export function literal(x: { area(): number }) { return x.area() }
export function named(x: Shape) { return x.area() }
export function own(x: Line) { return x.area() }
`,
    }
    expect(await possibleCallers(files, 'area.ts', 'Square.area')).toEqual(['literal @area.ts:4', 'named @area.ts:5'])
    expect(await possibleCallers(files, 'area.ts', 'Line.area')).toEqual(['literal @area.ts:4'])
  })

  it('is possible in Python, for a class that has all of a protocol', async () => {
    const files = {
      'area.py': `from typing import Protocol

class Shape(Protocol):
    def area(self) -> int: ...

class Plain:
    def area(self) -> int: ...

class Square:
    def area(self) -> int: return 1

def total(x: Shape): return x.area()
def plain(x: Plain): return x.area()
`,
    }
    expect(await possibleCallers(files, 'area.py', 'Square.area')).toEqual(['total @area.py:12'])
  })
})

describe('a method of Kotlin on what is one of several', () => {
  it('is possible for each of them', async () => {
    const files = {
      'A.kt': `class A { fun go() {} }
class B { fun go() {} }
fun one(c: Boolean) {
  val x = if (c) A() else B()
  x.go()
}
fun other(c: Boolean) { (if (c) A() else B()).go() }
`,
    }
    const both = ['one @A.kt:5', 'other @A.kt:7']
    expect(await possibleCallers(files, 'A.kt', 'A.go')).toEqual(both)
    expect(await possibleCallers(files, 'A.kt', 'B.go')).toEqual(both)
  })
})
