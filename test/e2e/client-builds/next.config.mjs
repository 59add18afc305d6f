export default { distDir: process.env.BUILD_FOLDER, turbopack: { root: import.meta.dirname } }
