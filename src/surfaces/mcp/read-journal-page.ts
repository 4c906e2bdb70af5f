import type { JournalRecord } from '../../machine/journal/chain.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import type { Toolkit } from '../../toolkit.ts'
import { shownRecord } from '../cli/shown-record.ts'

interface Page {
  readonly records: readonly JournalRecord[]
  /** The number before which the next page begins; undefined at the end. */
  readonly next?: number
}

/** Returns records as the policy lets them be shown, the newest first. */
export async function journalPage(
  kit: Toolkit,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<Page> {
  const records: JournalRecord[] = []
  for (const record of newestFirst(kit.state.journal)) {
    if (record.seq >= before) continue
    if (records.length === limit) return { records, next: records.at(-1)?.seq ?? before }
    records.push(await shownRecord(kit, record))
  }
  return { records }
}
