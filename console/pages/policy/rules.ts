import { signal } from '@preact/signals'
import { act, read, remove, wordsOf } from '../../api/request.ts'
import { say } from '../../state/shell.ts'

interface PolicyAnswer {
  readonly defaults: Readonly<Record<string, string>>
  readonly rules: readonly {
    readonly id: string
    readonly says?: string
    readonly from?: string
    readonly why?: string
  }[]
  readonly denials: readonly {
    readonly id: string
    readonly deny: string
    readonly by: string
    readonly at: string
    readonly enabled: boolean
    readonly why?: string
  }[]
  readonly answers: readonly {
    readonly id: string
    readonly tool: string
    readonly grants?: readonly {
      readonly action: string
      readonly path?: string
      readonly command?: string
      readonly host?: string
    }[]
    readonly pattern?: string
    readonly scope: string
    readonly by: string
    readonly at: string
    readonly expiresAt?: string
    readonly lastUsed?: string
    readonly enabled: boolean
    readonly expired?: boolean
    readonly why?: string
  }[]
  readonly uses: Readonly<Record<string, { readonly count: number; readonly last: string }>>
  readonly byDefault: Readonly<Record<string, number>>
}

/** A rule as a row: wherever it stands. */
export interface Rule {
  readonly id: string
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly action: string
  readonly target: string
  readonly from: string
  readonly why: string | undefined
  readonly expiresAt: string | undefined
  readonly used: number
  readonly last: string | undefined
  /** It was stored here, so that it can be removed here. */
  readonly isStored: boolean
  readonly isOff: boolean
}

export const policy = signal<PolicyAnswer | undefined>(undefined)
export const policyProblem = signal('')

export async function loadPolicy(): Promise<void> {
  try {
    policy.value = await read<PolicyAnswer>('/v1/policy')
    policyProblem.value = ''
  } catch (error) {
    policyProblem.value = wordsOf(error)
  }
}

/** All rules, those that refuse first. */
export function rulesOf({ rules, denials, answers, uses }: PolicyAnswer): readonly Rule[] {
  const configured = rules
    .filter(({ says, id }) => says !== undefined && !id.startsWith('stored:'))
    .map(({ id, says = '', from = '', why }): Rule => {
      const [, verdict = 'ask', action = '', target = ''] = /^(\w+) (\S+) ?([^]*)$/.exec(says) ?? []
      return {
        ...place(id),
        verdict: asVerdict(verdict),
        action,
        target,
        from,
        why,
        expiresAt: undefined,
        isStored: false,
        isOff: false,
      }
    })
  const denied = denials.map(({ id, deny, by, enabled, why }): Rule => {
    const [, action = '', target = ''] = /^([\w:]+?):([^:]*)$/.exec(deny) ?? [undefined, 'deny', deny]
    const used = place(`stored:${id}`)
    return {
      ...used,
      id,
      verdict: 'deny',
      action: action.replace(/^fs:/, ''),
      target,
      from: `stored by ${by}`,
      why,
      expiresAt: undefined,
      isStored: true,
      isOff: !enabled,
    }
  })
  const remembered = answers.map((answer): Rule => {
    const { id, tool, grants = [], pattern, by, expiresAt, lastUsed, enabled, expired, why } = answer
    const targets = grants.map(({ path, command, host, action }) => path ?? command ?? host ?? action)
    const used = place(id)
    return {
      ...used,
      verdict: 'allow',
      action: tool.replace(/^toolwright\//, ''),
      target: [...new Set(targets)].join(', ') || (pattern ?? ''),
      from: `answered by ${by}`,
      why,
      expiresAt,
      last: used.last ?? lastUsed,
      isStored: true,
      isOff: !enabled || expired === true,
    }
  })
  const order = { deny: 0, allow: 1, ask: 2 } as const
  return [...configured, ...denied, ...remembered].toSorted((one, other) => order[one.verdict] - order[other.verdict])

  function place(id: string): Pick<Rule, 'id' | 'used' | 'last'> {
    const { count = 0, last } = uses[id] ?? {}
    return { id, used: count, last }
  }
}

const asVerdict = (text: string): Rule['verdict'] => (text === 'allow' || text === 'deny' ? text : 'ask')

/** Does something to the rules, and shows them again. */
async function change(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    say(done)
    return true
  } catch (error) {
    say(wordsOf(error), { isBad: true })
    return false
  } finally {
    await loadPolicy()
  }
}

export const removeRule = (id: string): Promise<boolean> =>
  change(() => remove(`/v1/policy/rules/${encodeURIComponent(id)}`), 'The rule is removed')

export const switchRule = (id: string, isOff: boolean): Promise<boolean> =>
  change(
    () => act(`/v1/policy/rules/${encodeURIComponent(id)}/${isOff ? 'enable' : 'disable'}`),
    isOff ? 'The rule is on' : 'The rule is off',
  )

export const addRule = (rule: object): Promise<boolean> =>
  change(() => act('/v1/policy/rules', rule), 'The rule is stored')
