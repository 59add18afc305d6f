/** Styles of the button and the panel, in a shadow root that the page's styles don't reach. */
export const PANEL_STYLES = `
:host {
  all: initial;
  --color: var(--parley-color, #0b6b5b);
  color-scheme: light dark;
  font: 500 16px/1.2 system-ui, sans-serif;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button { font: inherit; letter-spacing: inherit; text-transform: inherit; word-spacing: inherit; cursor: pointer; border: 0; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
/* Not inherited: a rule of the page for all elements applies to the host element. */
.launcher, .panel {
  font: 500 16px/1.2 system-ui, sans-serif;
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
  word-spacing: normal;
  position: fixed;
  inset-inline-end: max(16px, env(safe-area-inset-right));
  z-index: 2147483000;
}
:host([data-start]) :is(.launcher, .panel) { inset-inline: max(16px, env(safe-area-inset-left)) auto; }
.launcher {
  inset-block-end: max(16px, env(safe-area-inset-bottom));
  min-height: 48px;
  padding: 0 22px;
  border-radius: 24px;
  background: var(--color);
  color: #fff;
  box-shadow: 0 2px 12px rgb(0 0 0 / 0.25);
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
  color: light-dark(#17211d, #e7eeeb);
  box-shadow: 0 12px 48px rgb(0 0 0 / 0.28);
}
.bar {
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding-inline-start: 16px;
}
.bar small { display: block; margin-block-start: 2px; font-size: 12px; font-weight: 400; }
.shut { width: 44px; height: 44px; background: none; color: inherit; font-size: 24px; }
iframe { flex: 1; width: 100%; border: 0; }
.fallback { padding: 16px; color: inherit; }
@media (max-width: 480px), (max-height: 480px) {
  .panel, :host([data-start]) .panel { inset: 0; width: auto; height: auto; border: 0; border-radius: 0; }
  .panel:not([hidden]) + .launcher { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .panel { animation: rise 0.16s ease-out; }
  @keyframes rise { from { opacity: 0; translate: 0 8px; } }
}
@media (forced-colors: active) { .launcher { border: 1px solid; } }
`
