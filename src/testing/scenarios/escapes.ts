import assert from 'node:assert/strict'
import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import type { Code } from '../../kernel/error.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import type { Example } from '../../kernel/tool.ts'
import { claimsOf, isFileClaim } from './claims.ts'
import { CANARY, failure, onStage } from './stage.ts'

/** Each leads out of the workspace, or is no valid path. */
export const ESCAPES = [
  '../outside',
  '../outside/secret.txt',
  '/etc/passwd',
  'link-out/secret.txt',
  'a/../../outside/secret.txt',
  'secret\0.txt',
]

/** Codes that mean the path itself was refused; with any other code the call may have followed it. */
const REFUSALS: readonly Code[] = ['outside_workspace', 'invalid_input']

/** Reports whether a call can be misdirected: the input names a path, or the files it claims depend on the input. */
export const takesPaths = (tool: AnyTool<Engines>): boolean =>
  tool.effects.some(effect => effect !== 'net') &&
  (pathKeys(tool).length > 0 || tool.examples.some(example => choosesFiles(tool, example)))

/** Replaces each path of the examples by this one, one at a time. Fails if there is no path to replace. */
export async function cannotReach(contract: Contract<Engines>, tool: AnyTool<Engines>, escape: string): Promise<void> {
  const paths = pathsOf(tool)
  for (const key of pathKeys(tool))
    assert.ok(
      paths.some(path => path.key === key),
      `no example gives '${key}', so nothing shows where it can lead: add one that does`,
    )
  assert.ok(
    paths.length > 0,
    'no example has a path to redirect: let its input name each path exactly as the tool claims it',
  )
  for (const { key, example, given, path } of paths)
    await onStage(contract, tool, example, async ({ once, unchanged, outside }) => {
      await unchanged(async () => {
        const { outcome, answer } = await once(
          {},
          { ...Object(example.input), [key]: redirectPath(given, path, escape) },
        )
        assert.ok(!outcome.ok, `the call must be refused when '${key}' leads out`)
        assert.ok(
          REFUSALS.includes(outcome.error.code),
          `the call must fail because '${key}' leads out (${REFUSALS.join(' or ')}), not with ${failure(outcome)}`,
        )
        assert.ok(!JSON.stringify(answer).includes(CANARY), `nothing outside the workspace may show by '${key}'`)
      })
      assert.equal(outside(), `${CANARY}\n`)
    })
}

interface GivenPath {
  /** The parameter that holds it. */
  readonly key: string
  readonly example: Example
  /** The example's value: the path, or a text that contains it. */
  readonly given: unknown
  readonly path: string
}

/** Returns one path for each parameter to which any example gives a path. */
function pathsOf(tool: AnyTool<Engines>): readonly GivenPath[] {
  const pathsByKey = new Map<string, GivenPath>()
  for (const example of tool.examples) {
    const claimedPaths = claimedFiles(tool, example)
    for (const [key, value] of Object.entries(Object(example.input))) {
      const isPath = typeof value === 'string' && pathKeys(tool).includes(key)
      const path = isPath ? value : claimedPaths.find(file => JSON.stringify(value)?.includes(inJson(file)))
      if (path !== undefined && !pathsByKey.has(key)) pathsByKey.set(key, { key, example, given: value, path })
    }
  }
  return [...pathsByKey.values()]
}

/** Parameters that are paths by their name: `path`, `filePath`, `base_path`, `cwd`. */
const pathKeys = (tool: AnyTool<Engines>): readonly string[] =>
  Object.keys(Object(inputSchema(tool)['properties'])).filter(key => PATH_KEY.test(key))

const PATH_KEY = /^(?:(?:.*_)?(?:path|file|dir|directory|folder|cwd)|.*(?:Path|File|Dir|Directory|Folder))$/

/** Returns the files and directories that an example claims by name, without those that an undo finds. */
const claimedFiles = (tool: AnyTool<Engines>, example: Example): readonly string[] =>
  claimsOf(tool, example, [])
    .filter(claim => isFileClaim(claim) && claim.resource !== '**')
    .map(({ resource }) => resource.replace(/\/\*\*$/, ''))

/** Reports whether other texts in the input make the tool claim other files. */
function choosesFiles(tool: AnyTool<Engines>, example: Example): boolean {
  try {
    const claimedPaths = claimedFiles(tool, example)
    if (claimedPaths.length === 0) return false
    const other = { ...example, input: otherTexts(example.input) }
    return claimedPaths.join('\0') !== claimedFiles(tool, other).join('\0')
  } catch {
    return true
  }
}

const otherTexts = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) => (typeof value === 'string' ? `other-${value}` : value))

/** Replaces the path in a value: the whole text if it is the path, else every occurrence in a text. */
function redirectPath(given: unknown, path: string, escape: string): unknown {
  const json = JSON.stringify(given)
  const whole = JSON.stringify(path)
  return JSON.parse(
    json.includes(whole)
      ? json.replaceAll(whole, () => JSON.stringify(escape))
      : json.replaceAll(inJson(path), () => inJson(escape)),
  )
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
