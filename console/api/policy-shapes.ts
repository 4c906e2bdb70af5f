import type { Claim } from './shapes.ts'

type Verdict = 'allow' | 'ask' | 'deny'

/** What would be decided, and why. */
export interface PolicyCheck {
  readonly verdict: Verdict
  readonly why: string
  readonly rule: { readonly id: string; readonly says: string; readonly from: string; readonly why?: string } | null
  readonly claims: readonly (Claim & { readonly verdict: Verdict; readonly rule?: string })[]
  readonly atStart: readonly {
    readonly programs: readonly string[]
    readonly verdict: Verdict
    readonly command: string
    readonly from: string
  }[]
  readonly missing: readonly string[]
}
