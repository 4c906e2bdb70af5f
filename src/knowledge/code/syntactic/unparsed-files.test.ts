import { describe, expect, it } from 'vitest'
import { writtenProject } from '../../../../tests/code/written-callers.ts'
import { parseModel } from '../../model/parse-model.ts'
import { projectOf } from '../resolve/project.ts'
import { callersIn } from './syntactic-callers.ts'

const KOTLIN = {
  'Load.kt': 'fun load(id: Int) = "x"\nfun unmentioned() = 1\n',
  'Broken.kt': `class Broken {
    fun half( = {
    val x: = 3
    fun show() = load(3)
}
`,
}

const JAVA = {
  'Load.java': `class Load {
  static int load(int id) { return id; }
  static void unmentioned() {}
}
`,
  'Broken.java': `class Broken {
  int show(int id = load(2)) { return id; }
  void half( = {
`,
}

describe('a file that does not parse', () => {
  it.each([
    ['Kotlin', KOTLIN, 'Load.kt', 'Broken.kt'],
    ['Java', JAVA, 'Load.java', 'Broken.java'],
  ])('in %s makes the callers of what it mentions partial, and is named', async (_language, files, path, broken) => {
    const project = await writtenProject(files)
    expect(callersIn(project, path, 'load', 1)).toMatchObject({ partial: true, unread: [broken] })
  })

  it.each([
    ['Kotlin', KOTLIN, 'Load.kt'],
    ['Java', JAVA, 'Load.java'],
  ])('in %s leaves the callers of what it does not mention whole', async (_language, files, path) => {
    const project = await writtenProject(files)
    expect(callersIn(project, path, 'unmentioned', 1)).toMatchObject({ callers: [], partial: false })
  })

  it('makes callers partial where it may declare what they call on', async () => {
    const project = await writtenProject({
      'Loader.kt': 'class Loader {\n    fun load(id: Int) = "x"\n}\n',
      'Use.kt': 'fun use(broken: Broken) = broken.loader.load(1)\n',
      'Broken.kt': 'class Broken(val loader: Loader {\n    fun half( = {\n',
    })
    expect(callersIn(project, 'Loader.kt', 'load', 1)).toMatchObject({ partial: true, unread: ['Broken.kt'] })
  })

  it('is what the error is about where the function asked for stands in it', async () => {
    const project = await writtenProject({ 'Broken.kt': KOTLIN['Broken.kt'] })
    expect(() => callersIn(project, 'Broken.kt', 'show', 1)).toThrow(
      expect.objectContaining({ code: 'no_match', hint: expect.stringContaining('lines 1 to 5') }),
    )
  })

  it.each([
    ['deep.go', 'package main\nvar x = ', 'func f() {}'],
    ['deep.py', 'x = ', 'def f(): pass'],
  ])('such as %s, of which nothing is known, is said not to be parsed', async (path, before, after) => {
    const text = `${before}${'('.repeat(20_000)}1${')'.repeat(20_000)}\n${after}\n`
    const code = await parseModel(path, Buffer.from(text))
    const project = projectOf(code ? [[path, code]] : [])
    expect(() => callersIn(project, path, 'f', 1)).toThrow(
      `No function 'f' is known in ${path}: the file could not be parsed`,
    )
  })
})
