import type { CompletedCommand, CompletedOption } from './completed-commands.ts'

type Commands = readonly CompletedCommand[]

/** Uses no helpers, because the package bash-completion is not installed everywhere. */
export const bashScript = (commands: Commands): string => `# bash completion for toolwright
_toolwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=''
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(command => command.options.filter(({ choices }) => choices.length > 0).map(option => `    '${command.name} ${option.name}') COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$current")); return ;;`)).join('\n')}
${valueCases(commands)}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options, words }) => `    ${name}) if [[ $current == -* ]]; then words='${options.map(option => option.name).join(' ')}'${words.length > 0 ? `; elif (( COMP_CWORD == 2 )); then words='${words.join(' ')}'` : ''}; fi ;;`).join('\n')}
  esac
  # Nothing to say: the shell completes files.
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolwright toolwright`

/** After an option with a value, completes files and none of our words. */
const valueCases = (commands: Commands): string =>
  commands
    .flatMap(({ name, options }) => {
      const valueOptions = options.filter(({ takesValue, choices }) => takesValue && choices.length === 0)
      return valueOptions.length === 0
        ? []
        : [`    ${valueOptions.map(option => `'${name} ${option.name}'`).join(' | ')}) return ;;`]
    })
    .join('\n')

export const zshScript = (commands: Commands): string => `#compdef toolwright
_toolwright() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quote(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(command => `    ${command.name}) _arguments ${zshSpecs(command).map(quote).join(' ')} ;;`).join('\n')}
  esac
}
# Found in a directory of fpath this text is the function itself.
if [[ $funcstack[1] == _toolwright ]]; then _toolwright "$@"; else compdef _toolwright toolwright; fi`

const zshSpecs = ({ options, words }: CompletedCommand): readonly string[] => [
  ...options.map(option => `*${option.name}${zshAbout(option)}${zshValue(option)}`),
  ...(words.length > 0 ? [`1:word:(${words.join(' ')})`] : []),
  '*:file:_files',
]

const zshAbout = ({ about }: CompletedOption): string => (about === '' ? '' : `[${about.replaceAll(/[[\]\\:]/g, ' ')}]`)

const zshValue = ({ takesValue, choices }: CompletedOption): string => {
  if (choices.length > 0) return `:value:(${choices.join(' ')})`
  return takesValue ? ':value:_files' : ''
}

export const fishScript = (commands: Commands): string =>
  [
    '# fish completion for toolwright',
    ...commands.map(
      ({ name, about }) => `complete -c toolwright -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`,
    ),
    ...commands.flatMap(({ name, options, words }) => {
      const start = `complete -c toolwright -n '__fish_seen_subcommand_from ${name}'`
      return [
        ...(words.length > 0 ? [`${start} -f -a ${quote(words.join(' '))}`] : []),
        ...options.map(
          option =>
            `${start} -l ${option.name.slice(2)}${fishValue(option)}${option.about === '' ? '' : ` -d ${quote(option.about)}`}`,
        ),
      ]
    }),
  ].join('\n')

const fishValue = ({ takesValue, choices }: CompletedOption): string => {
  if (choices.length > 0) return ` -x -a ${quote(choices.join(' '))}`
  return takesValue ? ' -r' : ''
}

/** Quotes a text in single quotes. Replaces single quotes inside, because shells escape them differently. */
const quote = (text: string): string => `'${text.replaceAll("'", '’').replaceAll('\\', '/')}'`
