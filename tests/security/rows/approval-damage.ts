import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { CannotRun } from '../row.ts'
import type { RuleOfRow } from './approval-state.ts'

/** Where the rules of a row are stored, and what they are about. */
interface Place {
  readonly approvals: string
  readonly root: string
}

type Damage = (place: Place, value: unknown, field: string) => void

const NOBODY = 65_534

/** Says that it was not approved where it is false. */
const ANSWERS = /^(approved|answered|verdict|answer)$/

/** What becomes of stored rules between two sessions, by the names that a row may give it. */
const DAMAGES: readonly (readonly [name: RegExp, damage: Damage])[] = [
  [/^(rule_)?file_(mode|world_writable|group_writable|writable)$/, ({ approvals }) => chmodSync(approvals, 0o666)],
  [/^(rule_)?file_(owner|uid|user)$/, ({ approvals }) => giveAway(approvals)],
  [/^(rule_)?file_(corrupt(ed)?|truncated|cut|invalid|unreadable)$/, ({ approvals }) => truncateSync(approvals, 40)],
  [/^(rule_)?file_(missing|deleted|removed|lost)$/, ({ approvals }) => unlinkSync(approvals)],
  [
    /^(format|file|store|schema)_version$/,
    ({ approvals }, version) => rewrite(approvals, file => ({ ...file, version })),
  ],
  [
    /^(workspace|root|repo(sitory)?)_(moved|replaced|recreated|renamed|inode_changed|reused)$/,
    ({ root }) => replaceDirectory(root),
  ],
  // A condition that this version does not know: the rule came from a later version, or was edited.
  [
    /^(not_before|starts_at|valid_from|decision|effect|answer|answered|approved|verdict|pending|signature|mac|hash|checksum|conditions?|only_if|unless|max_bytes|max_calls|rate|paths?|args)$/,
    ({ approvals }, value, field) => withField(approvals, field, value),
  ],
]

/** Returns what happens between two sessions to what one has stored. */
export function damageOf(rule: RuleOfRow): ((place: Place) => void) | undefined {
  const happens = Object.entries(rule).flatMap(([field, value]) => {
    const [, damage] = DAMAGES.find(([name]) => name.test(field)) ?? []
    return damage && (value !== false || ANSWERS.test(field)) ? [(place: Place) => damage(place, value, field)] : []
  })
  const written = rule['expires_at']
  if (written !== undefined && written !== null && !isMoment(written))
    happens.push(({ approvals }) => withField(approvals, 'expiresAt', written))
  return happens.length === 0 ? undefined : place => happens.forEach(damage => damage(place))
}

export const isDamage = (field: string): boolean => DAMAGES.some(([name]) => name.test(field))

export const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

function giveAway(file: string): void {
  if (process.getuid?.() !== 0) throw new CannotRun('only root can give a file to another user')
  chownSync(file, NOBODY, NOBODY)
}

function replaceDirectory(root: string): void {
  renameSync(root, `${root}-before`)
  mkdirSync(root)
}

interface File {
  readonly rules: readonly object[]
}

const rewrite = (file: string, change: (content: File) => object): void =>
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))), { mode: 0o600 })

const withField = (file: string, field: string, value: unknown): void =>
  rewrite(file, content => ({ ...content, rules: content.rules.map(rule => ({ ...rule, [field]: value })) }))
