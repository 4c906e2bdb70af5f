/** Settings of a repository that neither name a program nor lead elsewhere. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sharedrepository|compression)$/,
  extensions: /^objectformat$/,
  user: /^(name|email)$/,
  init: /^defaultbranch$/,
  receive: /^(denycurrentbranch|denynonfastforwards|denydeletes)$/,
  remote: /^(url|fetch|mirror)$/,
  branch: /^(remote|merge|rebase)$/,
}

const SECTION = /^\[([a-z]+)(?: "[^"\\]*")?\]$/i
const SETTING = /^([a-z][a-z0-9-]*)\s*=\s*([^\\"#;]*)$/i

/** Whether a configuration of git holds nothing but such settings, one in a line; whatever else it holds may be a program. */
export function isHarmlessConfig(text: string): boolean {
  let section = ''
  return text.split('\n').every(raw => {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) return true
    const header = SECTION.exec(line)?.[1]
    if (header !== undefined) {
      section = header.toLowerCase()
      return Object.hasOwn(SETTINGS, section)
    }
    const [, name = '', value = ''] = SETTING.exec(line) ?? []
    return (SETTINGS[section]?.test(name.toLowerCase()) ?? false) && !/^-|::/.test(value)
  })
}
