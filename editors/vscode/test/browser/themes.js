'use strict';
// What VS Code tells a web view of its own themes: CSS variables, and a class of the body. High
// contrast leaves some undefined, so that a page must do without.

const font = {
  'font-family': 'system-ui, "DejaVu Sans", sans-serif', 'font-size': '13px',
  'editor-font-family': '"DejaVu Sans Mono", monospace', 'editor-font-size': '13px',
};

/** By name: the class of the body and the variables without `--vscode-`. */
const THEMES = {
  dark: {
    className: 'vscode-dark',
    variables: {
      ...font,
      'input-foreground': '#cccccc', 'input-background': '#313131', 'input-border': '#3c3c3c',
      'input-placeholderForeground': '#9d9d9d',
      'editor-background': '#1f1f1f', foreground: '#cccccc', focusBorder: '#0078d4',
      'panel-border': '#2b2b2b', 'editorError-foreground': '#f14c4c',
      'testing-iconPassed': '#73c991', 'button-secondaryForeground': '#cccccc',
      'button-secondaryBackground': '#313131', 'button-secondaryHoverBackground': '#3c3c3c',
      'charts-purple': '#b180d7', 'editorWarning-foreground': '#cca700', 'charts-red': '#f14c4c',
      'charts-blue': '#3794ff', 'charts-green': '#89d185',
    },
  },
  light: {
    className: 'vscode-light',
    variables: {
      ...font,
      'input-foreground': '#3b3b3b', 'input-background': '#ffffff', 'input-border': '#cecece',
      'input-placeholderForeground': '#767676',
      'editor-background': '#ffffff', foreground: '#3b3b3b', focusBorder: '#005fb8',
      'panel-border': '#e5e5e5', 'editorError-foreground': '#e51400',
      'testing-iconPassed': '#007100', 'button-secondaryForeground': '#3b3b3b',
      'button-secondaryBackground': '#e5e5e5', 'button-secondaryHoverBackground': '#cccccc',
      'charts-purple': '#652d90', 'editorWarning-foreground': '#bf8803', 'charts-red': '#e51400',
      'charts-blue': '#1a85ff', 'charts-green': '#388a34',
    },
  },
  contrast: {
    className: 'vscode-high-contrast',
    variables: {
      ...font,
      'input-foreground': '#ffffff', 'input-background': '#000000', 'input-border': '#6fc3df',
      'input-placeholderForeground': '#b3b3b3',
      'editor-background': '#000000', foreground: '#ffffff', focusBorder: '#f38518',
      contrastBorder: '#6fc3df', 'panel-border': '#6fc3df', 'editorError-foreground': '#f48771',
      'testing-iconPassed': '#73c991', 'button-secondaryForeground': '#ffffff',
      'charts-purple': '#b180d7', 'editorWarning-foreground': '#ffd370', 'charts-red': '#f48771',
      'charts-blue': '#3794ff', 'charts-green': '#89d185',
    },
  },
  contrastLight: {
    className: 'vscode-high-contrast-light vscode-high-contrast',
    variables: {
      ...font,
      'input-foreground': '#292929', 'input-background': '#ffffff', 'input-border': '#0f4a85',
      'input-placeholderForeground': '#686868',
      'editor-background': '#ffffff', foreground: '#292929', focusBorder: '#006bbd',
      contrastBorder: '#0f4a85', 'panel-border': '#0f4a85', 'editorError-foreground': '#b5200d',
      'testing-iconPassed': '#007100', 'button-secondaryForeground': '#292929',
      'charts-purple': '#652d90', 'editorWarning-foreground': '#895503', 'charts-red': '#b5200d',
      'charts-blue': '#1a85ff', 'charts-green': '#374e06',
    },
  },
};

/** A script that does to a page what VS Code does before a web view's own scripts run. */
function preparation({ className, variables }) {
  return `(${prepare})(${JSON.stringify({ className, variables })});`;
}

/** Runs in the page. */
function prepare({ className, variables }) {
  if (window.top !== window) return;
  window.violations = [];
  window.posted = [];
  document.addEventListener('securitypolicyviolation', event => {
    window.violations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
  });
  // VS Code keeps the state while a panel lives, whatever page it shows.
  window.acquireVsCodeApi = () => ({
    postMessage: message => window.posted.push(message),
    getState: () => window.name ? JSON.parse(window.name) : undefined,
    setState: value => { window.name = JSON.stringify(value); },
  });
  const style = document.documentElement?.style;
  const apply = root => {
    for (const [name, value] of Object.entries(variables)) {
      root.style.setProperty(`--vscode-${name}`, value);
    }
  };
  if (style) apply(document.documentElement);
  document.addEventListener('DOMContentLoaded', () => {
    apply(document.documentElement);
    document.body.className = className;
  });
}

module.exports = { preparation, THEMES };
