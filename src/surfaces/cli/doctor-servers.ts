import { openServers } from '../../engines/code/servers/open-servers.ts'
import type { ServedLanguage } from '../../engines/code/servers/types.ts'
import { openTree } from '../../engines/index/tree/open-tree.ts'
import type { Environment } from '../../engines/state/directory.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { Finding } from './doctor-finding.ts'

/** Which of the languages of the workspace have a server that can be asked about them. */
export async function languageServers(kit: Toolkit, env: Environment): Promise<Finding[]> {
  const { root } = kit.workplace
  const { sandbox, limits, languageServers: configured } = kit.config.config
  const servers = openServers({ root, env, off: sandbox === 'off', limits: limits.commands, configured })
  const endings = await endingsIn(kit)
  const concerned = (await servers.known()).filter(({ extensions }) => extensions.some(one => endings.has(one)))
  await servers.close()
  return inWords(concerned)
}

const about = 'Languages'

function inWords(concerned: readonly ServedLanguage[]): Finding[] {
  const named = ({ name, extensions }: ServedLanguage) => `${name} (${extensions.join(', ')})`
  const installed = concerned.filter(one => one.installed).map(named)
  const text = installed.length > 0 ? `asked in the sandbox: ${installed.join('; ')}` : 'no language server is needed'
  const missing = concerned
    .filter(one => !one.installed)
    .map((one): Finding => ({ state: 'limited', about, text: `no server for ${named(one)}: ${one.install}` }))
  return installed.length > 0 || missing.length === 0 ? [{ state: 'good', about, text }, ...missing] : missing
}

async function endingsIn({ workplace }: Toolkit): Promise<ReadonlySet<string>> {
  const tree = openTree(workplace.root)
  try {
    await tree.caughtUp()
    return new Set([...tree.files().keys()].map(path => path.slice(path.lastIndexOf('.') + 1).toLowerCase()))
  } finally {
    tree.close()
  }
}
