import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'
import { factsOf } from '../../model/facts/facts-of.ts'

describe('Kotlin with bodies on one line', () => {
  const files = {
    'Load.kt': 'fun load(id: Int) = "x"\n',
    'Bodies.kt': `fun interface Click { fun run(): Int }
fun interface Drag { fun run(): Int }
object Single { fun inBlock() = run { load(1) } }
interface Source { fun read(): String; fun close() }
class File : Source { override fun read(): String { return "\${ load(2) }" } override fun close() {} }
enum class Side { LEFT, RIGHT { fun inEntry() = load(3) } }
class Screen {
    companion object { val first = load(4) }
    fun afterCompanion() = load(5)
}
`,
  }

  it('has a caller in each body, to the last one', async () => {
    expect(await writtenCallers(files, 'Load.kt', 'load')).toEqual([
      'Single.inBlock > load @Bodies.kt:3',
      'File.read > load @Bodies.kt:5',
      'Side.inEntry > load @Bodies.kt:6',
      'Screen.Companion > load @Bodies.kt:8',
      'Screen.afterCompanion > load @Bodies.kt:9',
    ])
  })

  it('has every symbol in the index', async () => {
    const facts = await factsOf('Bodies.kt', Buffer.from(files['Bodies.kt']))
    expect(facts?.symbols.map(({ name, within }) => [...within, name].join('.'))).toEqual([
      'Click',
      'Click.run',
      'Drag',
      'Drag.run',
      'Single',
      'Single.inBlock',
      'Source',
      'Source.read',
      'Source.close',
      'File',
      'File.read',
      'File.close',
      'Side',
      'Side.inEntry',
      'Screen',
      'Screen.Companion',
      'Screen.afterCompanion',
    ])
  })
})
