import assert from 'node:assert/strict'
import type { Engines } from '../../engines/engines.ts'
import type { Claim, Effect, Facts } from '../../kernel/claim.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import type { Example } from '../../kernel/tool.ts'

/** The origin of an example's fake repository. */
const REPOSITORY_ORIGIN = 'https://api.github.com'

/** Returns the unchecked claims of a tool for an example, if an undo would touch these paths. */
export function claimsOf(
  tool: AnyTool<Engines>,
  example: Example,
  undoPaths: readonly string[] = ['undone'],
): readonly Claim[] {
  const facts: Facts = {
    undoPaths: () => undoPaths,
    repositoryOrigin: () => (example.repository ? REPOSITORY_ORIGIN : undefined),
  }
  return tool.claims(tool.input.parse(example.input), facts)
}

export const isFileClaim = ({ action }: Claim): boolean => FILE_EFFECTS.some(effect => effect === action)

/** The effects that touch files of the workspace. */
const FILE_EFFECTS: readonly Effect[] = ['read', 'create', 'write']

/** Fails if a tool declares effects that no example claims: then nothing shows that they are the bound. */
export function claimsWithinEffects(contract: Contract<Engines>, tool: AnyTool<Engines>): void {
  const exampleClaims = tool.examples.flatMap(example => claimsOf(tool, example))
  for (const { action } of exampleClaims)
    assert.ok(
      tool.effects.some(effect => effect === action),
      `it claims '${action}' but does not declare it`,
    )
  const transactionClaims = tool.examples.flatMap(example => stagedClaims(contract, example))
  for (const { action } of transactionClaims)
    assert.ok(covers(tool.effects, action), `it lands what was claimed as '${action}' but does not declare it`)
  assert.ok(
    exampleClaims.length + transactionClaims.length > 0,
    `no example claims anything, but the tool declares ${tool.effects.join(', ')}: ` +
      'add an example that claims what it touches, or declare no effects',
  )
}

/** Fails if a tool without effects claims something. */
export function claimsNothing(tool: AnyTool<Engines>): void {
  assert.ok(tool.examples.length > 0, 'a tool needs an example')
  for (const example of tool.examples) assert.deepEqual(claimsOf(tool, example), [])
}

/** Returns changes claimed by earlier calls of the same session: a tool that commits them claims nothing again. */
function stagedClaims(contract: Contract<Engines>, { before = [], sameSession }: Example): readonly Claim[] {
  if (!sameSession) return []
  return before.flatMap(call => {
    const tool = contract.tools.find(({ name }) => name === call.tool)
    const claims = tool ? claimsOf(tool, call) : []
    return claims.filter(({ action }) => action === 'create' || action === 'write')
  })
}

/** The right to write includes creating. */
const covers = (effects: readonly Effect[], action: Claim['action']): boolean =>
  effects.some(effect => effect === action || (effect === 'write' && action === 'create'))
