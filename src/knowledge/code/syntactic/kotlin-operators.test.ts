import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

const OPERATORS = {
  'Money.kt': `package shop

class Money(val cents: Int) : Comparable<Money> {
    operator fun plus(other: Money): Money { return Money(cents + other.cents) }
    operator fun minusAssign(other: Money) {}
    operator fun get(index: Int): Money = this
    operator fun set(index: Int, value: Money) {}
    operator fun invoke(): Int = cents
    operator fun component1() = cents
    operator fun contains(other: Money) = true
    operator fun iterator(): Iterator<Money> = TODO()
    operator fun getValue(owner: Any?, property: Any): Int = cents
    override fun compareTo(other: Money): Int = 0
    override fun toString() = "money"
}
class Weight { operator fun plus(other: Weight) = this }
class Maker(val size: Int) { companion object { operator fun invoke(text: String) = Money(1) } }
operator fun Int.times(money: Money) = money
`,
  'Use.kt': `package shop

fun adds(money: Money) = money + money
fun subtractsInPlace(money: Money) { money -= money }
fun writesIndex(money: Money) { money[0] = money }
fun readsIndex(money: Money) = money[0]
fun addsToIndex(money: Money) { money[1] += money }
fun callsValue(money: Money) = money()
fun callsElement(money: Money) = money[0]()
fun callsClass() = Maker("x")
fun destructures(money: Money) { val (cents) = money }
fun delegates(money: Money) { val cents by money }
fun loops(money: Money) { for (item in money) println(item) }
fun asksMembership(money: Money) = money in money
fun compares(money: Money) = money < money
fun multiplies(money: Money) = 2 * money
fun addsWeights(weight: Weight) = weight + weight
fun readsIndexOfSum(money: Money) { val sum = money + money; sum[2] }
fun addsTexts(text: String, count: Int, change: (Int) -> Int) = text + count + 1 + change(count)
`,
}

describe('callers of operators in Kotlin, from the text', () => {
  it.each([
    [
      '+',
      'Money.plus',
      ['adds > Money.plus @Use.kt:3', 'addsToIndex > Money.plus @Use.kt:7', 'readsIndexOfSum > Money.plus @Use.kt:18'],
    ],
    ['-=', 'minusAssign', ['subtractsInPlace > Money.minusAssign @Use.kt:4']],
    ['[] =', 'Money.set', ['writesIndex > Money.set @Use.kt:5', 'addsToIndex > Money.set @Use.kt:7']],
    [
      '[]',
      'Money.get',
      [
        'readsIndex > Money.get @Use.kt:6',
        'addsToIndex > Money.get @Use.kt:7',
        'callsElement > Money.get @Use.kt:9',
        'readsIndexOfSum > Money.get @Use.kt:18',
      ],
    ],
    ['()', 'Money.invoke', ['callsValue > Money.invoke @Use.kt:8', 'callsElement > Money.invoke @Use.kt:9']],
    ['destructuring', 'component1', ['destructures > Money.component1 @Use.kt:11']],
    ['by', 'getValue', ['delegates > Money.getValue @Use.kt:12']],
    ['for', 'iterator', ['loops > Money.iterator @Use.kt:13']],
    ['in', 'contains', ['asksMembership > Money.contains @Use.kt:14']],
    ['<', 'compareTo', ['compares > Money.compareTo @Use.kt:15']],
    ['*, an extension', 'times', ['multiplies > times @Use.kt:16']],
    ['+ of another class', 'Weight.plus', ['addsWeights > Weight.plus @Use.kt:17']],
    ['() of a class, by its companion', 'Maker.invoke', ['callsClass > Maker.invoke @Use.kt:10']],
  ])('are found by %s, and there may be more', async (_operator, name, callers) => {
    expect(await writtenCallers(OPERATORS, 'Money.kt', name)).toEqual(callers)
    const { possible, unknown } = await writtenAnswer(OPERATORS, 'Money.kt', name)
    expect(possible).toEqual([])
    expect(unknown).toEqual([expect.stringMatching(/^\w+ may be called by (an operator: |a call with |taking )/)])
  })

  it.each([
    ['Money.invoke', 'invoke may be called by a call with parentheses: f()'],
    ['component1', 'component1 may be called by taking a value apart: val (a, b) = c'],
    ['Money.get', 'get may be called by an operator: a[i]'],
    ['Money.compareTo', 'compareTo may be called by an operator: <, >, <= or >='],
  ])('are written out where %s may be called by more', async (name, why) => {
    expect((await writtenAnswer(OPERATORS, 'Money.kt', name)).unknown).toEqual([why])
  })
})

describe('an operator on what is held', () => {
  const files = {
    ...OPERATORS,
    'Purse.kt': `package shop

class Purse(val all: List<Money>, val single: Money) {
    fun onElement() { all.get(0)[1] }
    fun onProperty() { single() + 1 }
}
`,
  }

  it('may be called on what a method of a library gives', async () => {
    expect(await possibleCallers(files, 'Money.kt', 'Money.get')).toEqual(['Purse.onElement @Purse.kt:4'])
  })

  it('is called on a property', async () => {
    expect(await writtenCallers(files, 'Money.kt', 'Money.invoke')).toContain(
      'Purse.onProperty > Money.invoke @Purse.kt:5',
    )
  })

  it('is not called on the number that an operator of it gives', async () => {
    expect(await writtenCallers(files, 'Money.kt', 'Money.plus')).not.toContain(
      'Purse.onProperty > Money.plus @Purse.kt:5',
    )
  })
})

describe('an operator on something unknown', () => {
  const files = {
    ...OPERATORS,
    'Unknown.kt': 'package shop\n\nfun onUnknown() { val unknown = library(); unknown + unknown }\n',
  }

  it('is a possible caller, and says why', async () => {
    const { possible } = await writtenAnswer(files, 'Money.kt', 'Money.plus')
    expect(possible).toEqual([
      { name: 'onUnknown', path: 'Unknown.kt', line: 3, why: 'an operator on a value of unknown type may call it' },
    ])
  })

  it('is none of another operator', async () => {
    expect(await possibleCallers(files, 'Money.kt', 'Money.set')).toEqual([])
  })
})

describe('a method that the language calls by itself', () => {
  it('has callers that cannot be searched for, in Kotlin', async () => {
    const { unknown } = await writtenAnswer(OPERATORS, 'Money.kt', 'Money.toString')
    expect(unknown).toEqual(['The language calls toString without its name being written'])
  })

  it('has callers that cannot be searched for, in Python', async () => {
    const files = { 'money.py': 'class Money:\n    def __add__(self, other):\n        return other\n' }
    const { callers, unknown } = await writtenAnswer(files, 'money.py', '__add__')
    expect(callers).toEqual([])
    expect(unknown).toEqual(['The language calls __add__ without its name being written'])
  })
})

describe('a method that overrides one of a library', () => {
  const files = {
    'Screen.kt': `package app

import androidx.appcompat.app.AppCompatActivity

class Screen : AppCompatActivity() {
    override fun onResume() {
        super.onResume()
    }
    override fun onPause() { onResume() }
}
`,
  }

  it('is not its own caller by super, and the library may call it', async () => {
    const { callers, possible, unknown } = await writtenAnswer(files, 'Screen.kt', 'Screen.onResume')
    expect(callers.map(({ name, line }) => `${name}:${line}`)).toEqual(['Screen.onPause:9'])
    expect(possible).toEqual([])
    expect(unknown).toEqual(['AppCompatActivity, which is declared outside of the workspace, may call Screen.onResume'])
  })
})
