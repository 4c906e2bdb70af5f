// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { syntacticCallers } from '../../src/knowledge/code/syntactic/syntactic-callers.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const PROJECT = {
  'tsconfig.json': configuration({ allowJs: true, module: 'nodenext', strict: false }),
  'src/tasks.js': 'export const tasks = { build() {}, clean() {} }\n',
  'src/cli.js': "import { tasks } from './tasks.js'\ntasks[process.argv[2]]()\n",
  'src/common.cjs': 'module.exports = { pack() {}, sign() {} }\n',
  'src/uses-common.cjs': "const common = require('./common.cjs')\ncommon[process.argv[2]]()\n",
  'src/old.js': 'export function Old() {}\nOld.prototype.spin = function () {}\n',
  'src/uses-old.js': "import { Old } from './old.js'\nnew Old()[process.argv[2]]()\n",
  'src/service.ts': `export class Service {
  ping() {}
}
export class Other {
  pong() {}
}
`,
  'src/calls.ts': `import { Service, Other } from './service.js'
export const keyed = (service: Service, key: keyof Service) => service[key]()
export const reflected = (service: Service, key: string) => Reflect.get(service, key).call(service)
export const joined = (service: Service, key: string) => (service as any)[\`p\${key}g\`]()
export const ofOther = (other: Other, key: keyof Other) => other[key]()
export const ofList = (list: Service[]) => list.map((each, at) => list[at].ping())
export const ofRecord = (all: Record<string, number>, key: string) => all[key]
`,
  'src/table.ts': `export interface Table { [name: string]: () => void }
export class Shown { show(): void {} }
export const run = (table: Table, name: string) => table[name]()
export const show = (shown: Shown, name: string) => (shown as any)[name]()
`,
  'src/steps.ts': `import { Shown, type Table } from './table.js'
export const steps: Table = { first() {} }
export class Own extends Shown { second() {} }
`,
  'src/far.ts': 'export const far = (some: any, key: string) => some[key]()\n',
}

const QUESTION = { depth: 1, deadlineMs: 40_000 }

describe('callers of what scripts name by computed keys', () => {
  it('are unknown, with the places, and other objects are none of them', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const unknown = async (name: string, path: string) => {
      const answer = await code.engine.callers({ name, path, ...QUESTION })
      expect(answer.partial).toBe(answer.unknown.length > 0 || answer.possible.length > 0)
      return answer.unknown
    }
    expect(await unknown('tasks.clean', 'src/tasks.js')).toEqual(['Computed keys may name it: src/cli.js:2'])
    expect(await unknown('pack', 'src/common.cjs')).toEqual(['Computed keys may name it: src/uses-common.cjs:2'])
    expect(await unknown('Old.spin', 'src/old.js')).toEqual(['Computed keys may name it: src/uses-old.js:2'])
    expect(await unknown('Service.ping', 'src/service.ts')).toEqual([
      'Computed keys may name it: src/calls.ts:2, src/calls.ts:3, src/calls.ts:4, src/calls.ts:7',
    ])
    expect(await unknown('Other.pong', 'src/service.ts')).toEqual([
      'Computed keys may name it: src/calls.ts:5, src/calls.ts:7',
    ])
  })

  it('are unknown where the object is handed to what knows its type alone', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/steps.ts', ...QUESTION })
    expect((await ask('steps.first')).unknown).toEqual(['Computed keys may name it: src/table.ts:3'])
    expect((await ask('Own.second')).unknown).toEqual(['Computed keys may name it: src/table.ts:4'])
  })

  it('are looked for anew in files that changed, are staged or are gone', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const unknown = async () =>
      (await code.engine.callers({ name: 'tasks.clean', path: 'src/tasks.js', ...QUESTION })).unknown
    const before = PROJECT['src/cli.js']
    expect(await unknown()).toEqual(['Computed keys may name it: src/cli.js:2'])
    expect(await unknown()).toEqual(['Computed keys may name it: src/cli.js:2'])
    workspace.write('src/cli.js', before.replace('\n', '\n\n'))
    expect(await unknown()).toEqual(['Computed keys may name it: src/cli.js:3'])
    workspace.write('src/more.js', before)
    expect(await unknown()).toEqual(['Computed keys may name it: src/cli.js:3, src/more.js:2'])
    code.stage('src/cli.js', before.replace('[process.argv[2]]', '.build'))
    expect(await unknown()).toEqual(['Computed keys may name it: src/more.js:2'])
    code.stage('src/more.js', undefined)
    expect(await unknown()).toEqual([])
  })

  it('are unknown without a server too', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const root = openRoot(workspace.path)
    const parts = { root, staging: createStaging(), mayRead: () => true }
    const question = { name: 'tasks.clean', depth: 1, deadlineMs: 40_000 }
    const answer = await syntacticCallers(parts, 'src/tasks.js', question)
    root.close()
    expect([answer.unknown, answer.partial]).toEqual([['Computed keys may name it: src/cli.js:2'], true])
  })
})
