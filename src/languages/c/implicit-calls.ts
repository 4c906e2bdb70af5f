import type { Callable } from '../language.ts'

const STARTED =
  /^(main|wmain|WinMain|wWinMain|DllMain|_start|_init|_fini|LLVMFuzzer\w+|JNI_On(Load|Unload)|PyInit_\w+|Java_\w+)$/
const ATTRIBUTES =
  /\b(?:__)?(constructor|destructor|used|retain|section|alias|ifunc|interrupt|signal|export_name)(?:__)?\b/
const KEPT = /\bEMSCRIPTEN_KEEPALIVE\b/

/** Why a function is called implicitly, of which `called` names some. */
export const whyImplicit =
  (called: RegExp) =>
  ({ name, isMember, texts }: Callable): string | undefined => {
    if (called.test(name)) return `The language and templates call ${name} without its name being written`
    if (isMember) return undefined
    if (STARTED.test(name)) return `The program's loader calls ${name}`
    const attribute = texts.map(text => attributeOf(text, name)).find(each => each !== undefined)
    return attribute === undefined
      ? undefined
      : `Its attribute ${attribute} has ${name} called or kept without its name`
  }

/** The C attribute that has a function called, also through a macro of the file. */
function attributeOf(text: string, name: string): string | undefined {
  const macros = [...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)\b(.*)$/gm)].flatMap(([, macro = '', body = '']) => {
    const attribute = /__attribute__|\[\[|__declspec/.test(body) ? ATTRIBUTES.exec(body)?.[1] : undefined
    return attribute === undefined ? [] : [[macro, attribute] as const]
  })
  const plain = text.replaceAll(/^[ \t]*#(?:.*\\\r?\n)*.*$/gm, '')
  for (const { index } of plain.matchAll(new RegExp(`\\b${name.replaceAll(/\W/g, String.raw`\$&`)}\\s*\\(`, 'g'))) {
    const before = /[^;{}]*$/.exec(plain.slice(Math.max(0, index - 500), index))?.[0] ?? ''
    const after = /^[^;{}]*/.exec(plain.slice(index, index + 1000))?.[0] ?? ''
    const signature = before + after
    const ownAttribute = /__attribute__|\[\[/.test(signature)
      ? ATTRIBUTES.exec(signature)?.[1]
      : KEPT.exec(signature)?.[0]
    const attributeName = ownAttribute ?? macros.find(([macro]) => new RegExp(`\\b${macro}\\b`).test(signature))?.[1]
    if (attributeName !== undefined) return attributeName
  }
  return undefined
}
