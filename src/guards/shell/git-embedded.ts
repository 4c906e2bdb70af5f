import { settingsOf, subcommandAt } from './programs/git.ts'

/**
 * Returns what git's own options make it run: aliases and programs that a configuration names, and commands of
 * subcommands.
 */
export function gitEmbedded(words: readonly string[]): {
  readonly commands: readonly (readonly string[])[]
  readonly scripts: readonly string[]
  readonly guesses: readonly string[]
} {
  const at = subcommandAt(words)
  const [sub, ...rest] = words.slice(at)
  const scripts = settingsOf(words).flatMap(settingScripts)
  if (sub === 'config') {
    const operands = rest.filter(word => !word.startsWith('-'))
    const [key = '', value = ''] = operands[0] === 'set' ? operands.slice(1) : operands
    scripts.push(...settingScripts(`${key}=${value}`))
  }
  for (const [index, word] of rest.entries()) {
    if (/^(-x|--exec|--extcmd|--upload-pack|--receive-pack|--tool-command)$/.test(word))
      scripts.push(rest[index + 1] ?? '')
    const [, optionValue] = /^(?:--[a-z-]+=|-[xO])([^]+)$/.exec(word) ?? []
    if (sub === 'clone' && /^(-c|--config)$/.test(word)) scripts.push(...settingScripts(rest[index + 1] ?? ''))
    if (sub === 'clone' && word.startsWith('--config=')) scripts.push(...settingScripts(optionValue ?? ''))
    if (optionValue !== undefined && /exec|extcmd|pack|pager|filter|^-[xO]/.test(word)) scripts.push(optionValue)
  }
  if (sub === 'submodule' && rest[0] === 'foreach') scripts.push(rest.slice(1).filter(notOption).join(' '))
  if (sub === 'filter-branch') scripts.push(...rest)
  const commands = sub === 'bisect' && rest[0] === 'run' ? [rest.slice(1)] : []
  return { commands, scripts: [], guesses: scripts.filter(script => script !== '') }
}

const notOption = (word: string): boolean => !word.startsWith('-')

function settingScripts(setting: string): readonly string[] {
  const [, key = '', value = ''] = /^([^=]*)=([^]*)$/.exec(setting) ?? []
  if (value.startsWith('!')) return [value.slice(1)]
  return /^alias\./i.test(key) ? [`git ${value}`] : [value]
}
