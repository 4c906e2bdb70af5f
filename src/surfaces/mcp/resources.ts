import { ResourceNotFoundError, type ReadResourceResult, type Server } from '@modelcontextprotocol/server'
import { jsonLine } from '../../kernel/json-line.ts'
import { onceLoaded } from '../../kernel/once.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'

/** What resources are read from. */
interface ResourcePlace {
  readonly workspace: Toolkit
  /** Reads staged changes and stored texts, as calls that policy judges; undefined if our tools are not mounted. */
  readonly session: SessionHandle | undefined
}

type Reader = (place: ResourcePlace, parts: readonly string[]) => Promise<Content | undefined>

interface Content {
  readonly mimeType: string
  readonly text: string
  /** The address of the next page. */
  readonly next?: string | undefined
}

interface Resource {
  /** The address; a part in braces is a parameter. */
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** Needs the tools of our own contract. */
  readonly isOurs: boolean
  readonly read: Reader
}

const RECORDS = 50
const LINES = 1000

const reading = onceLoaded(() => import('./read-journal-page.ts'))

const readJournalPage: Reader = async ({ workspace }, [before]) => {
  const from = before === undefined ? Infinity : Number(before)
  if (Number.isNaN(from)) return undefined
  const { journalPage } = await reading()
  const { records, next } = await journalPage(workspace, { before: from, limit: RECORDS })
  const nextUri = next === undefined ? undefined : `toolwright://journal/${next}`
  return { mimeType: 'application/x-ndjson', text: records.map(jsonLine).join('\n'), next: nextUri }
}

const readStaged: Reader = async ({ session }) => {
  const outcome = (await session?.run('stage', { action: 'diff' }, { contract: OWN }))?.outcome
  // Without a transaction nothing is staged.
  const { diff = '' } = outcome?.ok ? Object(outcome.data) : {}
  return { mimeType: 'text/x-diff', text: String(diff) }
}

const readOutput: Reader = async ({ session }, [id = '', line = '1']) => {
  const from = Number(line)
  if (!Number.isSafeInteger(from) || from < 1 || !session) return undefined
  const { outcome } = await session.run('read', { path: `ref:${id}`, from, to: from + LINES - 1 }, { contract: OWN })
  if (!outcome.ok) return undefined
  const { content, to, totalLines }: { content: string; to: number; totalLines: number } = Object(outcome.data)
  const next = to < totalLines ? `toolwright://outputs/${id}/${to + 1}` : undefined
  return { mimeType: 'text/plain', text: content, next }
}

const OWN = 'toolwright'

const journal = { name: 'Journal', mimeType: 'application/x-ndjson', isOurs: false, read: readJournalPage }
const output = { name: 'Output', mimeType: 'text/plain', isOurs: true, read: readOutput }

const RESOURCES: readonly Resource[] = [
  {
    ...journal,
    uri: 'toolwright://journal',
    description: `The last ${RECORDS} records of what was done in the workspace, the newest first`,
  },
  {
    uri: 'toolwright://staged',
    name: 'Staged changes',
    description: 'The diff of what is staged, and not yet in the workspace',
    mimeType: 'text/x-diff',
    isOurs: true,
    read: readStaged,
  },
  { ...journal, uri: 'toolwright://journal/{before}', description: 'Earlier records: those before this number' },
  {
    ...output,
    uri: 'toolwright://outputs/{id}',
    description: 'The whole text of a cut answer, by the ID of its ref:ID',
  },
  { ...output, uri: 'toolwright://outputs/{id}/{from}', description: `The same from a line on, ${LINES} lines a page` },
]

/** Serves the journal, staged changes and stored texts as resources, page by page. */
export function addResources(server: Server, open: () => Promise<ResourcePlace>): void {
  const listed = async (isTemplate: boolean): Promise<readonly Resource[]> => {
    const { session } = await open()
    return RESOURCES.filter(({ uri, isOurs }) => uri.includes('{') === isTemplate && (!isOurs || session !== undefined))
  }
  server.setRequestHandler('resources/list', async () => ({
    resources: (await listed(false)).map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    })),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await listed(true)).map(({ uri, name, description, mimeType }) => ({
      uriTemplate: uri,
      name,
      description,
      mimeType,
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => readResource(await open(), uri))
}

async function readResource(place: ResourcePlace, uri: string): Promise<ReadResourceResult> {
  for (const resource of RESOURCES) {
    const pattern = new RegExp(`^${resource.uri.replaceAll(/\{\w+\}/g, '([\\w-]+)')}$`)
    const [, ...parts] = pattern.exec(uri) ?? [undefined]
    const content = pattern.test(uri) ? await resource.read(place, parts.map(String)) : undefined
    if (!content) continue
    const { mimeType, text, next } = content
    return { contents: [{ uri, mimeType, text, ...(next !== undefined && { _meta: { 'toolwright/next': next } }) }] }
  }
  throw new ResourceNotFoundError(uri)
}
