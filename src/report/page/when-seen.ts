import { onThemeChange } from './element.ts'

/**
 * Draws something when it is about to be seen, and again when its width or the theme has changed. Before printing, everything is drawn.
 */
export function drawWhenSeen(place: HTMLElement, draw: () => void): void {
  let width = -1
  let isSeen = false
  const redraw = (): void => {
    if (!isSeen || place.clientWidth === 0) return
    width = place.clientWidth
    draw()
  }
  const see = (): void => {
    if (isSeen) return
    isSeen = true
    redraw()
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      see()
    },
    { rootMargin: '400px' },
  )
  observer.observe(place)
  new ResizeObserver(() => {
    if (place.clientWidth !== width) redraw()
  }).observe(place)
  onThemeChange(redraw)
  addEventListener('beforeprint', see)
}
