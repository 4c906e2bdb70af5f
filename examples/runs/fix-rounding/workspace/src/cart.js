/** The price of everything in a cart. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price * item.count, 0)
}
