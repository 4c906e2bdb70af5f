import type { Callable } from '../language.ts'

/** Methods of scripts that are called only on some classes: the text that must also be in their file. */
const ONLY_WITH: readonly (readonly [name: RegExp, text: RegExp])[] = [
  [/^constructor$/, /(?:)/],
  [/^(next|return|throw)$/, /Iterat(or|able)|Generator|Symbol\.(asyncI|i)terator/],
  [/^(get|set|has|apply|construct|deleteProperty|defineProperty|ownKeys)$/, /\bProxy(Handler)?\b/],
  [/^(render|setup|mounted|updated|_(read|writev?|transform|flush|final|destroy|construct))$/, /\bextends\b/],
]

/** Methods that the language, the browser and common frameworks call on objects passed to them. */
export const CALLED_ITSELF =
  /^\[.+\]$|^(toString|toLocaleString|toJSON|valueOf|then|handleEvent|observedAttributes)$|^(connected|disconnected|adopted|connectedMove|attributeChanged|form[A-Z]\w*)Callback$|^component(Did|Will)\w+$|^(shouldComponentUpdate|getSnapshotBeforeUpdate|getDerivedStateFrom(Props|Error))$|^ng(On|Do|After)[A-Z]\w*$/

/** Why a method of a script is called implicitly. */
export function whyImplicit({ name, isMember, texts }: Callable): string | undefined {
  const isSo = ONLY_WITH.some(([names, needed]) => names.test(name) && texts.some(text => needed.test(text)))
  return isMember && (isSo || CALLED_ITSELF.test(name))
    ? `The language calls ${name} without its name being written`
    : undefined
}
