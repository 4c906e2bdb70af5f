import { describe, expect, it } from 'vitest'
import { hoveredType, isClassType, isOpenType, isPlainType } from './hovered-type.ts'

describe('the type that pyright tells of a name', () => {
  it.each([
    ['(variable) xs: list[A]', 'list[A]'],
    ['(parameter) cls: type[Self@A]', 'type[Self@A]'],
    ['(function) def f(\n    q: A\n) -> list[int]', 'list[int]'],
    ['(type) c = A', 'type[A]'],
    ['(class) A', 'type[A]'],
    ['class A()', 'type[A]'],
    ['(variable) by: dict[str, A]\n\nSome words: A', 'dict[str, A]'],
    ['```python\n(variable) one: A | None\n```', 'A | None'],
    ['(module) a', ''],
    ['', ''],
  ])('%j is %j', (hover, type) => {
    expect(hoveredType(hover)).toBe(type)
  })

  it.each([
    ['type[A]', true],
    ['type[A] | None', true],
    ['A', false],
    ['type[A] | A', undefined],
    ['', false],
  ])('%j is a class: %j', (type, isClass) => {
    expect(isClassType(type)).toBe(isClass)
  })

  it('is open where it is unknown or a type variable', () => {
    expect(['', 'Any', 'list[Unknown]', 'T@f', 'list[A]', 'Self@A'].map(isOpenType)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(['A', 'Self@A', 'A | None', 'list[A]'].map(type => isPlainType(type, ['A']))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
