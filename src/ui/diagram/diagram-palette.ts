/** Variables of Mermaid's theme "base", from which it derives all other colours. */
interface Palette {
  background: string
  [variable: string]: unknown
}

const LIGHT: Palette = {
  ...grounds(['#cfe5db', '#d5e0f2', '#f3e4c3', '#efd7dd', '#dfd9ef', '#d3e8ea'], '#17211d'),
  ...lines(['#2f7d63', '#3b67ab', '#a87412', '#b0455d', '#6a55ad', '#2a7f88'], '#17211d', '#ffffff'),
  darkMode: false,
  primaryColor: '#e0ede7',
  primaryBorderColor: '#5b7a6d',
  secondaryColor: '#e4eaf3',
  tertiaryColor: '#f3f6f4',
  lineColor: '#54625c',
  noteBkgColor: '#fbf3d9',
  noteBorderColor: '#b5a05a',
}

const DARK: Palette = {
  ...grounds(['#2b5a4a', '#2f4a72', '#6b5625', '#6e3c49', '#4d4277', '#275b61'], '#e5ece8'),
  ...lines(['#82d3b3', '#8fb4ee', '#e0b864', '#ec9aab', '#b7a6ec', '#7fcdd6'], '#e5ece8', '#0a0f0d'),
  darkMode: true,
  primaryColor: '#1f352d',
  primaryBorderColor: '#6d9c89',
  secondaryColor: '#27303f',
  tertiaryColor: '#151e1a',
  lineColor: '#9baba4',
  noteBkgColor: '#3a3217',
  noteBorderColor: '#8d7c3f',
}

/** Fill colours of items in a series: slices, columns, periods. */
function grounds(colours: string[], ink: string): Record<string, string> {
  const of = colours.flatMap((colour, index) => [
    [`pie${index + 1}`, colour],
    [`cScale${index}`, colour],
    [`cScaleLabel${index}`, ink],
  ])
  return Object.fromEntries(of)
}

/** Colours of text, bars and lines on `background`. */
function lines(colours: string[], ink: string, background: string): Palette {
  const written = [
    'titleColor',
    ...['xAxis', 'yAxis'].flatMap((axis) => ['Title', 'Label', 'Tick', 'Line'].map((part) => `${axis}${part}Color`)),
  ]
  const inks = Object.fromEntries(written.map((name) => [name, ink]))
  const xyChart = { ...inks, plotColorPalette: colours.join(), backgroundColor: background }
  return { background, edgeLabelBackground: background, primaryTextColor: ink, textColor: ink, noteTextColor: ink, xyChart }
}

/** A colour set in the source. Authors who set colours assume a light page with dark text. */
const OWN_COLOUR = /\b(?:fill|background|color)\s*:|\brect\s+rgba?\(|#[\da-f]{6}\b/i

/** The palette for a source. */
export const paletteOf = (source: string, isDark: boolean): Palette => (isDark && !OWN_COLOUR.test(source) ? DARK : LIGHT)
