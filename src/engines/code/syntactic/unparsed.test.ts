import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { factsOf } from '../../index/facts/facts-of.ts'
import { callersIn } from './callers.ts'

describe('Kotlin with bodies on one line', () => {
  const files = {
    'Load.kt': 'fun load(id: Int) = "x"\n',
    'Screen.kt': `fun interface Click { fun on(): Int }
fun interface Drag { fun on(): Int }
object Single { fun one() = run { load(1) } }
interface Source { fun read(): String; fun close() }
class File : Source { override fun read(): String { return "\${ load(2) }" } override fun close() {} }
enum class Side { LEFT, RIGHT { fun go() = load(3) } }
class Screen {
    companion object { val first = load(4) }
    fun show() = load(5)
}
`,
  }

  it('is read to its end', async () => {
    expect(await writtenCallers(files, 'Load.kt', 'load')).toEqual([
      'Single.one > load @Screen.kt:3',
      'File.read > load @Screen.kt:5',
      'Side.go > load @Screen.kt:6',
      'Screen.Companion > load @Screen.kt:8',
      'Screen.show > load @Screen.kt:9',
    ])
  })

  it('has all its symbols in the index', async () => {
    const facts = await factsOf('Screen.kt', Buffer.from(files['Screen.kt']))
    expect(facts?.symbols.map(({ name, within }) => [...within, name].join('.'))).toEqual([
      'Click',
      'Click.on',
      'Drag',
      'Drag.on',
      'Single',
      'Single.one',
      'Source',
      'Source.read',
      'Source.close',
      'File',
      'File.read',
      'File.close',
      'Side',
      'Side.go',
      'Screen',
      'Screen.Companion',
      'Screen.show',
    ])
  })
})

describe('a file that does not parse', () => {
  const broken = 'class Screen {\n    fun half( = {\n    val x: = 3\n    fun show() = load(3)\n}\n'

  it.each([
    ['Kotlin', 'Load.kt', 'fun load(id: Int) = "x"\nfun other() = 1\n', 'Screen.kt', broken],
    [
      'Java',
      'Load.java',
      'class Load {\n  static int load(int x) { return x; }\n  static void other() {}\n}\n',
      'Screen.java',
      'class Screen {\n  int show(int x = load(2)) { return x; }\n  void half( = {\n',
    ],
  ])('makes an answer partial, and is named: %s', async (_, path, text, other, bad) => {
    const project = await writtenProject({ [path]: text, [other]: bad })
    expect(callersIn(project, path, 'load', 1)).toMatchObject({ partial: true, unread: [other] })
    expect(callersIn(project, path, 'other', 1)).toMatchObject({ callers: [], partial: false })
  })

  it('makes one partial by what it may declare as well', async () => {
    const project = await writtenProject({
      'Load.kt': 'class Loader {\n    fun load(id: Int) = "x"\n}\n',
      'Use.kt': 'fun use(screen: Screen) = screen.loader.load(1)\n',
      'Screen.kt': 'class Screen(val loader: Loader {\n    fun half( = {\n',
    })
    expect(callersIn(project, 'Load.kt', 'load', 1)).toMatchObject({ partial: true, unread: ['Screen.kt'] })
  })

  it('says so where what is asked about stands there', async () => {
    const project = await writtenProject({ 'Screen.kt': broken })
    expect(() => callersIn(project, 'Screen.kt', 'show', 1)).toThrow(
      expect.objectContaining({ code: 'no_match', hint: expect.stringContaining('lines 1 to 5') }),
    )
  })
})
