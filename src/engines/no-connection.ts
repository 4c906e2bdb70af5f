import { ToolError } from '../kernel/error.ts'
import type { WrittenConnections } from './parts.ts'

/** Why there is no connection. */
export function noConnection({ products }: WrittenConnections, product: string | undefined): ToolError {
  const names = Object.keys(products)
  if (product === undefined && names.length > 1)
    return new ToolError('invalid_input', 'Several products are configured, and the call names none of them', {
      hint: `Give 'product': ${names.join(', ')}`,
    })
  const known = names.length > 0 ? `; products: ${names.join(', ')}` : ''
  const message =
    product === undefined ? 'No active GitHub connection found' : `There is no product '${product}'${known}`
  return new ToolError('unavailable', message, { details: { access: 'none' } })
}
