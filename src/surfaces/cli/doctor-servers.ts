import { deadlineIn } from '../../knowledge/code/servers/deadline.ts'
import { openServers } from '../../knowledge/code/servers/open-servers.ts'
import type { ServedLanguage, Servers } from '../../knowledge/code/servers/types.ts'
import { openTree } from '../../knowledge/tree/open-tree.ts'
import type { Environment } from '../../machine/state/directory.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { Finding } from './doctor-finding.ts'

/** Reports which languages of the workspace have a working server. Starts each once. */
export async function languageServers(kit: Toolkit, env: Environment): Promise<Finding[]> {
  const { root } = kit.workspace
  const { sandbox, limits, languageServers: configuredServers } = kit.config.config
  const servers = openServers({
    root,
    env,
    off: sandbox === 'off',
    limits: limits.commands,
    configured: configuredServers,
  })
  try {
    const examples = await examplesIn(kit)
    const usedLanguages = (await servers.known()).filter(({ extensions }) => extensions.some(one => examples.has(one)))
    return inWords(await Promise.all(usedLanguages.map(one => tryServer(servers, one, examples))))
  } finally {
    await servers.close()
  }
}

const about = 'Languages'
const TRY_MS = 15_000

interface Tried extends ServedLanguage {
  /** Reason why it cannot be used. */
  readonly problem?: string
}

async function tryServer(servers: Servers, one: ServedLanguage, examples: ReadonlyMap<string, string>): Promise<Tried> {
  const path = one.extensions.flatMap(ending => examples.get(ending) ?? [])[0]
  if (!one.installed || path === undefined) return one
  try {
    await servers.ask(path, { key: '', texts: new Map() }, deadlineIn(TRY_MS), async () => undefined)
    return one
  } catch (error) {
    return { ...one, problem: error instanceof Error ? error.message : String(error) }
  }
}

function inWords(concerned: readonly Tried[]): Finding[] {
  const describeLanguage = ({ name, extensions }: ServedLanguage) => `${name} (${extensions.join(', ')})`
  const working = concerned.filter(one => one.installed && one.problem === undefined).map(describeLanguage)
  const text = working.length > 0 ? `asked in the sandbox: ${working.join('; ')}` : 'no language server is needed'
  const limits = concerned.flatMap((one): Finding[] => {
    if (one.problem !== undefined)
      return [
        {
          state: 'limited',
          about,
          text: `${describeLanguage(one)} does not start: ${one.problem.replace(/\.$/, '')}. ${one.install}`,
        },
      ]
    return one.installed
      ? []
      : [{ state: 'limited', about, text: `no server for ${describeLanguage(one)}: ${one.install}` }]
  })
  return working.length > 0 || limits.length === 0 ? [{ state: 'good', about, text }, ...limits] : limits
}

/** Returns one file for each extension. */
async function examplesIn({ workspace }: Toolkit): Promise<ReadonlyMap<string, string>> {
  const tree = openTree(workspace.root)
  try {
    await tree.caughtUp()
    return new Map([...tree.files().keys()].map(path => [path.slice(path.lastIndexOf('.') + 1).toLowerCase(), path]))
  } finally {
    tree.close()
  }
}
