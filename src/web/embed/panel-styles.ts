/** Computed colour of the panel's text in a dark page. */
export const DARK_TEXT = 'rgb(231, 238, 235)'

/** Computed colour of the button where the page states none. */
export const OWN_COLOR = 'rgb(11, 107, 91)'

/** Styles of the button and the panel, in a shadow root that the page's styles don't reach. */
export const PANEL_STYLES = `
/* Important here outranks every rule of the page for the host element. */
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  z-index: 2147483000 !important;
  color-scheme: var(--parley-scheme, inherit) !important;
  --color: var(--parley-color, ${OWN_COLOR});
  /* White on colours of a luminance (y) at which it has more contrast than black, else 0: at least 4.58 : 1 either way. */
  --white: clamp(0, (0.179 - y) * 1e9, 1);
}
:host([hidden]) { display: none !important; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button { font: inherit; cursor: pointer; border: 0; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
.launcher, .panel {
  font: 500 16px/1.2 system-ui, sans-serif;
  text-align: start;
  position: fixed;
  inset-inline-end: max(16px, env(safe-area-inset-right));
}
:host([data-start]) :is(.launcher, .panel) { inset-inline: max(16px, env(safe-area-inset-left)) auto; }
.launcher {
  inset-block-end: max(16px, env(safe-area-inset-bottom));
  max-width: calc(100% - 32px);
  overflow-wrap: anywhere;
  min-height: 48px;
  padding: 6px 22px;
  border-radius: 24px;
  background: color(from var(--color) xyz-d65 x y z / 1);
  color: color(from var(--color) xyz-d65 calc(0.9505 * var(--white)) var(--white) calc(1.089 * var(--white)) / 1);
  box-shadow: 0 2px 12px rgb(0 0 0 / 0.25);
}
[aria-expanded='true'] { width: 48px; padding: 0; text-align: center; font-size: 28px; line-height: 1; }
[aria-expanded='true']::before { content: '×' / ''; }
[aria-expanded='true'] span { display: none; }
[data-unread]::after {
  content: '';
  position: absolute;
  inset: -2px -2px auto auto;
  width: 16px;
  height: 16px;
  border: 2px solid #fff;
  border-radius: 8px;
  background: #c00;
}
.badge {
  margin-inline-start: 8px;
  padding: 2px 6px;
  border: 1px solid currentColor;
  border-radius: 6px;
  font-size: 12px;
}
.panel {
  inset-block-end: calc(max(16px, env(safe-area-inset-bottom)) + 60px);
  display: flex;
  flex-direction: column;
  width: 400px;
  height: min(660px, 100dvh - 100px);
  overflow: hidden;
  border: 1px solid light-dark(#d5dcd9, #2c3733);
  border-radius: 16px;
  background: light-dark(#fff, #101614);
  color: light-dark(#17211d, ${DARK_TEXT});
  box-shadow: 0 12px 48px rgb(0 0 0 / 0.28);
}
.bar {
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding-inline-start: 16px;
}
.shut { width: 44px; height: 44px; background: none; color: inherit; font-size: 24px; }
iframe { flex: 1; width: 100%; border: 0; }
.fallback { padding: 8px 16px 24px; color: inherit; }
.panel:has(.fallback) { height: auto; }
@media (max-width: 480px), (max-height: 480px) {
  .panel, :host([data-start]) .panel { inset: 0; width: auto; height: auto; border: 0; border-radius: 0; }
  .panel:not([hidden]) + .launcher { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .panel { animation: rise 0.16s ease-out; }
  @keyframes rise { from { opacity: 0; translate: 0 8px; } }
}
:host([data-inline]) { position: static !important; height: 100% !important; min-height: 480px !important; }
:host([data-inline]) .panel {
  position: static;
  width: 100%;
  height: 100%;
  min-height: inherit;
  border: 1px solid light-dark(#d5dcd9, #2c3733);
  border-radius: 16px;
  box-shadow: none;
  animation: none;
}
@media print { :host { display: none !important; } }
@media (forced-colors: active) { .launcher { border: 1px solid; } }
`
