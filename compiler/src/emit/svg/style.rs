//! Colours and fonts, for light and dark pages.

/// The style sheet inside every drawing. Without support for
/// `prefers-color-scheme` the light colours stand.
pub(super) const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;\
font-size:13px;fill:#1f2933}\
.page{fill:#ffffff}\
.edge{fill:none;stroke:#8795a1;stroke-width:1.2}\
.back{stroke-dasharray:5 3}\
.arrow{fill:#8795a1}\
.label{font-size:11px;fill:#3e4c59}\
.under{fill:#ffffff;fill-opacity:.92}\
.name{font-weight:600}\
.sum{fill:#e6f0ff;stroke:#2b6cb0;stroke-width:1.5}\
.product{fill:#fff4e0;stroke:#b7791f;stroke-width:1.5}\
.leaf{fill:#f2f8f4;stroke:#5b8a72;stroke-width:1.2}\
.group{fill:#f0f4fb;stroke:#2b6cb0;stroke-width:1.4}\
.top{stroke-width:2.6}\
.sign{fill:none;stroke:#1f2933;stroke-width:1.7;stroke-linecap:round}\
.title{font-weight:600}\
.quiet{font-size:11px;fill:#616e7c}\
@media (prefers-color-scheme:dark){\
text{fill:#e4e7eb}\
.page{fill:#14181d}\
.edge{stroke:#7b8794}\
.arrow{fill:#7b8794}\
.label{fill:#cbd2d9}\
.under{fill:#14181d}\
.sum{fill:#1a2c44;stroke:#63a4f4}\
.product{fill:#3a2c12;stroke:#e0a84a}\
.leaf{fill:#1a2b23;stroke:#7fb89c}\
.group{fill:#1b2532;stroke:#63a4f4}\
.sign{stroke:#e4e7eb}\
.quiet{fill:#9aa5b1}}";
