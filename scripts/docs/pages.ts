import { globSync, readFileSync } from 'node:fs'
import { format } from 'oxfmt'
import { openApiOf } from '../../src/surfaces/http/openapi.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { at, root } from '../root.mjs'
import { contracts } from './contracts.ts'
import { withConsole } from './console.ts'
import { floorsPicture } from './floors-picture.ts'
import { limitsTable } from './limits-table.ts'
import { migrationTable } from './migration-table.ts'
import { referencePage } from './reference.ts'
import { storedDeprecations } from './schemas.ts'
import { commandSections, configurationTable, withSections } from './sections.ts'

/**
 * Every page with a generated part, as it has to be now: path from the repository's root → text. Commands are run by a
 * command line of that file, or by the one of the sources.
 */
export async function pages(cli?: string): Promise<ReadonlyMap<string, string>> {
  const both = await Promise.all([guides(cli), references()])
  const openApi = `${JSON.stringify(openApiOf(ROUTES), null, 2)}\n`
  return new Map([...both.flat(), ['docs/floors.svg', floorsPicture()], ['docs/reference/openapi.json', openApi]])
}

type Page = readonly [path: string, text: string]

async function guides(cli?: string): Promise<readonly Page[]> {
  const fresh: Page[] = []
  const commands = await commandSections()
  for (const path of handWritten()) {
    const text = readFileSync(at(path), 'utf8')
    // A page without generated parts is not formatted here.
    if (!text.includes('<!-- generated:') && !text.includes('```console\n')) continue
    fresh.push([
      path,
      await formatted(
        path,
        await withConsole(
          withSections(text, name => (name === 'commands' ? commands : sectionOf(name))),
          cli,
        ),
      ),
    ])
  }
  return fresh
}

async function references(): Promise<readonly Page[]> {
  const fresh: Page[] = []
  for (const contract of contracts) fresh.push(await reference(contract))
  return fresh
}

/** The page of a contract, from its tools alone. */
export async function reference(contract: (typeof contracts)[number]): Promise<Page> {
  const path = `docs/reference/${contract.id}.md`
  return [path, await formatted(path, await referencePage(contract))]
}

/** Hand-written pages with generated parts between markers and in console blocks. */
const handWritten = (): readonly string[] => ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

function sectionOf(name: string): string {
  if (name === 'configuration') return configurationTable()
  if (name === 'limits') return limitsTable()
  if (name === 'migration') return migrationTable(storedDeprecations())
  if (name.startsWith('contracts:')) return contractLinks(name.slice('contracts:'.length))
  if (name.startsWith('example:')) {
    const file = name.slice('example:'.length)
    return `\`\`\`ts\n${readFileSync(at('examples', file), 'utf8').trimEnd()}\n\`\`\``
  }
  throw new Error(`Nothing is known of a section '${name}'`)
}

/** Links to the pages of the contracts, relative to the linking page. */
const contractLinks = (folder: string): string =>
  `Contracts, chosen with \`--contract\`: ${contracts
    .map(({ id }, index) => `[\`${id}\`](${folder}/${id}.md)${index === 0 ? ' (ours, and the default)' : ''}`)
    .join(', ')}.`

/** Formatted like `npm run check` expects. */
async function formatted(path: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(at('.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(path, text, options)
  if (errors.length > 0) throw new Error(`${path}: ${JSON.stringify(errors[0])}`)
  return code
}
