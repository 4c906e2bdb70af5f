import type { Node } from 'oxc-parser'
import { isScripted } from '../../../../languages/registry.ts'
import { keyName } from '../../../../languages/javascript/names.ts'
import { parseModule, walk } from '../../../model/syntax/parse-module.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { filesWith } from './find-occurrences.ts'
import type { Target } from './occurrence.ts'

/** A class, type or object with its members. */
interface Holder {
  /** The name of a type that code may assert. */
  readonly type?: string | undefined
  /** It may have members that are not written in it. */
  readonly isOpen: boolean
  readonly members: readonly Member[]
}

interface Member {
  readonly name: string | undefined
  readonly at: number
  readonly isOptional: boolean
  readonly isHidden: boolean
  readonly isStatic: boolean
  readonly shape: Shape
}

/** The kind of a member's values, if its declaration shows it. */
type Shape = 'function' | 'string' | 'number' | 'boolean' | undefined

interface Held {
  readonly holder: Holder
  readonly member: Member
  readonly isAsserted: boolean
}

/**
 * Returns why a member declared elsewhere may be the target at run time, although no error would arise without it: it
 * is optional, or of a type that is only asserted.
 */
export function structuralMembers(
  parts: RefactorParts,
  target: Target,
): (path: string, start: number) => Promise<string | undefined> {
  const files = new Map<string, Promise<ReadonlyMap<number, Held>>>()
  const filesByType = new Map<string, Promise<readonly string[]>>()
  const owner = target.name.split('.').at(-2)
  let whole: Promise<boolean> | undefined
  return async (path, start) => {
    if (target.scope !== 'member' || !isScripted(path) || !isScripted(target.path)) return undefined
    const targetMember = await heldAt(target.path, parts.sources(target.path).offsetOf(target.position))
    const otherMember = await heldAt(path, start)
    if (
      !targetMember ||
      !otherMember ||
      targetMember.member.isHidden ||
      otherMember.member.isHidden ||
      targetMember.holder === otherMember.holder
    )
      return undefined
    if (targetMember.member.shape && otherMember.member.shape && targetMember.member.shape !== otherMember.member.shape)
      return undefined
    const isOpen = targetMember.holder.isOpen || (await (whole ??= isExtended()))
    if (
      (isOpen || hasAllMembers(targetMember, otherMember)) &&
      (otherMember.isAsserted || (await isAssertedType(otherMember.holder.type)))
    )
      return 'a member of a type that is only asserted'
    if (otherMember.member.isOptional && (isOpen || hasAllMembers(targetMember, otherMember)))
      return 'an optional member that may be it'
    const isWanted =
      targetMember.member.isOptional && (otherMember.holder.isOpen || hasAllMembers(otherMember, targetMember))
    return isWanted ? 'it may stand in for the optional member' : undefined
  }

  /** Reports whether code asserts a type by its name. */
  async function isAssertedType(type: string | undefined): Promise<boolean> {
    if (type === undefined) return false
    const assertionFiles = filesByType.get(type) ?? filesWith(parts, `as ${type}`)
    filesByType.set(type, assertionFiles)
    const assertion = new RegExp(
      `^(?!\\s*(?:import|export)\\b.*\\bfrom\\b).*[\\w$)\\]}]\\s+as\\s+${type}\\b(?!\\s*[,}])`,
      'm',
    )
    return (await assertionFiles).some(
      path => isScripted(path) && parts.mayRead(path) && assertion.test(parts.sources(path).text),
    )
  }

  async function heldAt(path: string, start: number): Promise<Held | undefined> {
    const parsedMembers =
      files.get(path) ?? parseModule(path, parts.sources(path).text).then(({ program }) => heldIn(program))
    files.set(path, parsedMembers)
    const memberByStart = await parsedMembers
    return memberByStart.get(start) ?? memberByStart.get(start - 1)
  }

  /** Reports whether something may have the members of the target's owner and more. */
  async function isExtended(): Promise<boolean> {
    if (owner === undefined) return true
    const name = owner.replaceAll(/\W/g, String.raw`\$&`)
    const extensionPattern = new RegExp(
      `\\b(?:extends|implements)\\b[^{]*\\b${name}\\b|\\b${name}\\b\\s*&|&\\s*${name}\\b|\\.\\.\\.[\\w$.\\s]*\\b${name}\\b|\\bassign\\s*\\([^)]*\\b${name}\\b`,
    )
    const paths = (await filesWith(parts, owner)).filter(path => isScripted(path) && parts.mayRead(path))
    return paths.some(path => extensionPattern.test(parts.sources(path).text))
  }
}

/** Reports whether one holder has every member that the other needs. */
const hasAllMembers = (one: Held, other: Held): boolean =>
  other.holder.members.every(
    ({ name, isOptional, isStatic }) =>
      isOptional ||
      isStatic !== other.member.isStatic ||
      one.holder.members.some(each => each.name === name && each.isStatic === one.member.isStatic),
  )

/** The members that a module declares, by the position of their names. */
function heldIn(root: Node): ReadonlyMap<number, Held> {
  const memberByOffset = new Map<number, Held>()
  const aliasTypes = new Set<Node>()
  walk(root, node => {
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSTypeAssertion':
        walk(node.typeAnnotation, each => {
          if (each.type === 'TSTypeLiteral') add(each.members, true, { isAsserted: true })
        })
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        add(node.body.body, node.superClass !== null)
        break
      case 'TSInterfaceDeclaration':
        add(node.body.body, node.extends.length > 0, { type: node.id.name })
        break
      case 'TSTypeAliasDeclaration':
        if (node.typeAnnotation.type !== 'TSTypeLiteral') break
        aliasTypes.add(node.typeAnnotation)
        add(node.typeAnnotation.members, false, { type: node.id.name })
        break
      case 'TSTypeLiteral':
        if (!aliasTypes.has(node)) add(node.members, true)
        break
      case 'ObjectExpression':
        add(
          node.properties,
          node.properties.some(({ type }) => type === 'SpreadElement'),
        )
        break
      default:
    }
  })
  return memberByOffset

  function add(
    nodes: readonly Node[],
    isOpen: boolean,
    { isAsserted = false, type }: { isAsserted?: boolean; type?: string } = {},
  ): void {
    const members = nodes.flatMap(each => memberOf(each) ?? [])
    const holder = { isOpen, members, type }
    for (const member of members)
      if (!memberByOffset.has(member.at)) memberByOffset.set(member.at, { holder, member, isAsserted })
  }
}

function memberOf(node: Node): Member | undefined {
  switch (node.type) {
    case 'TSPropertySignature':
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractPropertyDefinition':
    case 'TSMethodSignature':
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
    case 'Property':
      break
    default:
      return undefined
  }
  return {
    name: keyName(node.key, node.computed),
    at: node.key.start,
    isOptional: 'optional' in node && node.optional === true,
    isHidden:
      node.key.type === 'PrivateIdentifier' ||
      ('accessibility' in node && /^(?:private|protected)$/.test(node.accessibility ?? '')),
    isStatic: 'static' in node && node.static === true,
    shape: shapeOf(node),
  }
}

function shapeOf(node: Node): Shape {
  if ('kind' in node && (node.kind === 'get' || node.kind === 'set')) return undefined
  if (/Method/.test(node.type)) return 'function'
  if ('typeAnnotation' in node && node.typeAnnotation?.type === 'TSTypeAnnotation')
    return typeShape(node.typeAnnotation.typeAnnotation)
  const value = 'value' in node && typeof node.value === 'object' ? node.value : undefined
  if (!value || !('type' in value)) return undefined
  if (/^(?:ArrowFunction|Function)Expression$/.test(value.type)) return 'function'
  if (value.type !== 'Literal') return undefined
  const type = typeof value.value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined
}

function typeShape({ type }: Node): Shape {
  switch (type) {
    case 'TSStringKeyword':
      return 'string'
    case 'TSNumberKeyword':
      return 'number'
    case 'TSBooleanKeyword':
      return 'boolean'
    case 'TSFunctionType':
      return 'function'
    default:
      return undefined
  }
}
