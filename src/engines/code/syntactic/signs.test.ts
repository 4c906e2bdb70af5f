import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './callers.ts'

const FILES = {
  'Money.kt': `package p

class Money(val v: Int) : Comparable<Money> {
    operator fun plus(o: Money): Money { return Money(v + o.v) }
    operator fun minusAssign(o: Money) {}
    operator fun get(i: Int): Money = this
    operator fun set(i: Int, o: Money) {}
    operator fun invoke(): Int = v
    operator fun component1() = v
    operator fun contains(o: Money) = true
    operator fun iterator(): Iterator<Money> = TODO()
    operator fun getValue(of: Any?, property: Any): Int = v
    override fun compareTo(other: Money): Int = 0
    override fun toString() = "money"
}
class Other { operator fun plus(o: Other) = this }
class Maker(val n: Int) { companion object { operator fun invoke(s: String) = Money(1) } }
operator fun Int.times(o: Money) = o
`,
  'Use.kt': `package p

fun sums(a: Money, b: Money): Int {
    val c = a + b
    c -= a
    c[0] = b
    return c[0]() + c()
}
fun more(a: Money, b: Other) {
    val (x) = a
    val y by a
    for (each in a) println(each)
    if (a in a || a < a) b + b
    2 * a
    a[1] += a
}
fun other(s: String, n: Int, f: (Int) -> Int) = s + n + 1 + f(n)
`,
}

describe('what Kotlin calls by signs', () => {
  it.each([
    ['Money.plus', ['sums > Money.plus @Use.kt:4', 'more > Money.plus @Use.kt:15']],
    ['minusAssign', ['sums > Money.minusAssign @Use.kt:5']],
    ['Money.set', ['sums > Money.set @Use.kt:6', 'more > Money.set @Use.kt:15']],
    ['Money.get', ['sums > Money.get @Use.kt:7', 'more > Money.get @Use.kt:15']],
    ['component1', ['more > Money.component1 @Use.kt:10']],
    ['getValue', ['more > Money.getValue @Use.kt:11']],
    ['iterator', ['more > Money.iterator @Use.kt:12']],
    ['contains', ['more > Money.contains @Use.kt:13']],
    ['compareTo', ['more > Money.compareTo @Use.kt:13']],
    ['Other.plus', ['more > Other.plus @Use.kt:13']],
    ['times', ['more > times @Use.kt:14']],
  ])('%s has its callers', async (name, callers) => {
    expect(await writtenCallers(FILES, 'Money.kt', name)).toEqual(callers)
    expect(callersIn(await writtenProject(FILES), 'Money.kt', name, 1).partial).toBe(false)
  })

  it('invoke has its callers, of objects and of classes', async () => {
    const files = { ...FILES, 'Make.kt': 'package p\n\nfun make() = Maker("x")\n' }
    expect(await writtenCallers(files, 'Money.kt', 'Money.invoke')).toEqual(['sums > Money.invoke @Use.kt:7'])
    expect(await writtenCallers(files, 'Money.kt', 'Maker.invoke')).toEqual(['make > Maker.invoke @Make.kt:3'])
    expect(callersIn(await writtenProject(files), 'Money.kt', 'Money.invoke', 1).partial).toBe(false)
  })

  it('does not call what a collection holds, and does call what a property does', async () => {
    const files = {
      ...FILES,
      'Held.kt':
        'package p\n\nclass Held(val all: List<Money>, val one: Money) {\n    fun first() { all.get(0)[1] }\n    fun second() { one() + 1 }\n}\n',
    }
    expect(await writtenCallers(files, 'Money.kt', 'Money.get')).toContain('Held.first > Money.get @Held.kt:4')
    expect(await writtenCallers(files, 'Money.kt', 'Money.invoke')).toContain('Held.second > Money.invoke @Held.kt:5')
    expect(await writtenCallers(files, 'Money.kt', 'Money.plus')).not.toContain('Held.second > Money.plus @Held.kt:5')
  })

  it('is partial where nobody knows what a sign is put to', async () => {
    const files = { ...FILES, 'Far.kt': 'package p\n\nfun far() { val x = library(); x + x; x() }\n' }
    const project = await writtenProject(files)
    for (const name of ['Money.plus', 'Money.invoke'])
      expect(callersIn(project, 'Money.kt', name, 1)).toMatchObject({ partial: true })
    expect(callersIn(project, 'Money.kt', 'Money.set', 1)).toMatchObject({ partial: false })
  })

  it('is partial where nothing is written at all', async () => {
    expect(callersIn(await writtenProject(FILES), 'Money.kt', 'Money.toString', 1)).toMatchObject({ partial: true })
    const python = await writtenProject({ 'm.py': 'class Money:\n    def __add__(self, o):\n        return o\n' })
    expect(callersIn(python, 'm.py', '__add__', 1)).toMatchObject({ callers: [], partial: true })
  })
})
