import type { Finding } from './doctor-finding.ts'

/** Packages with a program for each platform, which npm leaves out with other optional ones, and what needs them. */
const PROGRAMS: readonly (readonly [name: string, need: string, load: () => Promise<unknown>])[] = [
  ['@vscode/ripgrep', 'searching', () => import('@vscode/ripgrep')],
  ['oxc-parser', 'JavaScript and TypeScript', () => import('oxc-parser')],
  ['@lydell/node-pty', 'commands on a terminal', () => import('@lydell/node-pty')],
]

/** Which packages were installed without the program that they bring for this platform. */
export async function installedPrograms(): Promise<Finding[]> {
  const about = 'Packages'
  const faults = await Promise.all(
    PROGRAMS.map(async ([name, need, load]): Promise<Finding[]> => {
      const isThere = await load().then(
        () => true,
        () => false,
      )
      if (isThere) return []
      const text = `${need}: ${name} has no program for ${process.platform}-${process.arch} here: npm install --include=optional`
      return [{ state: 'limited', about, text }]
    }),
  )
  const good: Finding = { state: 'good', about, text: 'those with a program for this platform are whole' }
  return faults.some(fault => fault.length > 0) ? faults.flat() : [good]
}
