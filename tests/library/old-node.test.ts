import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandGate, libraryGate, requireGate } from '../../scripts/entry-gate.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXPORTS: Readonly<Record<string, { readonly require: string; readonly default: string }>> = (({
  './package.json': _manifest,
  ...entries
}) => entries)(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).exports)
const SENTENCE = 'toolwright needs Node 24 or newer; this is Node 20.11.0'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'toolwright-old-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

/** Puts files below the directory of this test. */
const put = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
}

/** Runs a file with a Node that says it is an older one. */
const runOld = async (file: string, ...args: readonly string[]) => {
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })"
  const old = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]
  return promisify(execFile)(process.execPath, [...old, join(path, file), ...args]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: unknown) => ({
      code: Reflect.get(Object(error), 'code'),
      said: String(Reflect.get(Object(error), 'stderr')),
    }),
  )
}

describe('on a Node that is too old', () => {
  it('says what the library needs, and loads nothing that such a Node cannot read', async () => {
    put({
      'package.json': '{ "type": "module" }',
      'index.js': libraryGate('chunks/entry.js', ['two', 'one']),
      'chunks/entry.js': 'this is no JavaScript',
      'use.js': "await import('./index.js').catch(error => process.stdout.write(error.message))",
    })
    expect(await runOld('use.js')).toEqual({ code: 0, said: `${SENTENCE}.` })
  })

  it('says the same where the library is required', async () => {
    put({
      'index.cjs': requireGate('chunks/entry.js'),
      'chunks/entry.js': 'this is no JavaScript',
      'use.cjs': "try { require('./index.cjs') } catch (error) { process.stdout.write(error.message) }",
    })
    expect(await runOld('use.cjs')).toEqual({ code: 0, said: `${SENTENCE}.` })
  })

  it('names where the command looked for a newer one', async () => {
    put({ 'dist/cli.cjs': `${commandGate(packages('none-here'))}\nprocess.stdout.write('went on')` })
    const newer = join(path, 'tools', 'node', 'node_modules', 'none-here', 'bin', 'node')
    expect(await runOld('dist/cli.cjs')).toEqual({ code: 2, said: `${SENTENCE}, and none is at ${newer}.\n` })
    put({ 'dist/cli.cjs': `${commandGate({})}\nprocess.stdout.write('went on')` })
    expect(await runOld('dist/cli.cjs')).toEqual({ code: 2, said: `${SENTENCE}.\n` })
  })

  it.skipIf(process.platform === 'win32')(
    'hands the command to the newer one beside it, and ends as that does',
    async () => {
      const newer = 'tools/node/node_modules/here/bin/node'
      put({
        'dist/cli.cjs': `${commandGate(packages('here'))}\nprocess.stdout.write('went on')`,
        [newer]: '#!/bin/sh\necho "newer: $2 $3"\n[ "$3" = ok ] || { echo failed >&2; exit 7; }\n',
      })
      chmodSync(join(path, newer), 0o755)
      expect(await runOld('dist/cli.cjs', 'read', 'ok')).toEqual({ code: 0, said: 'newer: read ok\n' })
      expect(await runOld('dist/cli.cjs', 'read')).toEqual({ code: 7, said: 'failed\n' })
    },
  )
})

describe('on a Node that is new enough', () => {
  it('gives every name of the entry', async () => {
    put({
      'package.json': '{ "type": "module" }',
      'index.js': libraryGate('entry.js', ['two', 'one']),
      'entry.js': 'export const one = 1\nexport const two = 2',
    })
    const entry: unknown = await import(join(path, 'index.js'))
    expect({ ...Object(entry) }).toEqual({ one: 1, two: 2 })
  })

  it.each(Object.entries(EXPORTS))('lets every program require the built %s', async (_place, entry) => {
    const [required, imported] = [entry.require, entry.default].map(file => join(ROOT, file))
    const print = `const required = require(${JSON.stringify(required)})
      import(${JSON.stringify(imported)}).then(imported =>
        console.log(JSON.stringify([required, imported].map(each => Object.keys(each).sort()))))`
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', print])
    const [names, expected] = JSON.parse(stdout)
    expect(names).not.toEqual([])
    expect(names).toEqual(expected)
  })
})

const packages = (name: string) => ({ [`${process.platform}-${process.arch}`]: name })
